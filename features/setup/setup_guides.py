"""Setup guides for each system: proxy and certificate; for the setup page and the command line.

Names in braces: {host}, {port}, {pac}, {certificate}, {profile} (addresses) and {name} (the
authority's). What no device here could try is named in docs/https.md.
"""

from __future__ import annotations

from dataclasses import dataclass

from winnow.proxy.http.sentences import N_


@dataclass(frozen=True, slots=True)
class Typed:
    """A step in a terminal: ``text`` says where and when, ``command`` is the same for everybody."""

    text: str
    command: str

    def __str__(self) -> str:
        return f"{self.text} {self.command}"


Step = str | Typed


@dataclass(frozen=True, slots=True)
class Guide:
    """The steps for one system: setting the proxy, trusting the certificate, removing it.

    ``is_elsewhere``: it is a device that reaches this machine by the network.
    """

    system: str
    proxy: tuple[Step, ...]
    trust: tuple[Step, ...]
    undo: Step
    is_elsewhere: bool = False


_MARKS = (
    ("Android", "Android"),
    ("iPhone", "iPhone and iPad"),
    ("iPad", "iPhone and iPad"),
    ("Firefox/", "Firefox"),
    ("Windows", "Windows"),
    ("Macintosh", "macOS"),
    ("Chrome/", "Chrome, Chromium, Edge"),
    ("Linux", "Linux"),
)


def system_of(user_agent: str) -> str:
    """The guide for a browser by its User-Agent; "" for none. A desktop's Firefox has a proxy of
    its own, whatever the system."""
    return next((system for mark, system in _MARKS if mark in user_agent), "")


GUIDES = (
    Guide(
        "Firefox",
        (
            N_("Open Settings, look for “proxy”, and choose Settings… under Network Settings."),
            N_("Choose Automatic proxy configuration URL and enter {pac}"),
        ),
        (
            N_("Download {certificate}"),
            N_(
                "Open Settings, look for “certificates”, choose View Certificates…, then "
                "Authorities."
            ),
            N_("Choose Import…, pick the file, and tick “Trust this CA to identify websites”."),
        ),
        N_("In the same list of authorities choose {name}, then Delete or Distrust…."),
    ),
    Guide(
        "Chrome, Chromium, Edge",
        (
            N_("On Windows, macOS and Android these take the system’s proxy: see below."),
            Typed(
                N_("On Linux close all its windows, then start it so:"),
                "chromium --proxy-pac-url={pac}",
            ),
        ),
        (
            N_("On Windows, macOS and Android these take the system’s certificates: see below."),
            Typed(
                N_(
                    "On Linux download {certificate}, open a terminal in the folder of the "
                    "download, and run (certutil is in the package libnss3-tools):"
                ),
                "[ -e $HOME/.pki/nssdb/cert9.db ] || (mkdir -p $HOME/.pki/nssdb && "
                "certutil -d sql:$HOME/.pki/nssdb -N --empty-password)\n"
                "certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n Winnow -i winnow-ca.crt",
            ),
        ),
        Typed(N_("On Linux run:"), "certutil -d sql:$HOME/.pki/nssdb -D -n Winnow"),
    ),
    Guide(
        "Android",
        (
            N_(
                "Open Settings, Network & internet, Wi\u2011Fi, and hold the network’s name: "
                "Modify."
            ),
            N_(
                "Under Advanced options set Proxy to Manual, with {host} and port {port}. "
                "Winnow must let devices of the network in for this (below)."
            ),
        ),
        (
            N_("Download {certificate}"),
            N_(
                "Open Settings, look for “CA certificate”, choose Install anyway, and pick the "
                "file."
            ),
            N_(
                "Chrome accepts it. Firefox does after Settings, About Firefox, five taps on its "
                "logo, then Secret Settings, Use third party CA certificates. Most apps do not: "
                "Winnow notices and leaves them alone."
            ),
        ),
        N_("Look for “user credentials” in Settings, choose {name} and remove it."),
        is_elsewhere=True,
    ),
    Guide(
        N_("iPhone and iPad"),
        (
            N_("Open Settings, Wi\u2011Fi, the (i) beside the network, then Configure Proxy."),
            N_("Choose Automatic and enter {pac}, or Manual with {host} and port {port}."),
        ),
        (
            N_("Open {profile} in Safari and allow the profile to be downloaded."),
            N_("Open Settings, General, VPN & Device Management, the profile, and Install."),
            N_("Open Settings, General, About, Certificate Trust Settings, and switch {name} on."),
        ),
        N_("Open Settings, General, VPN & Device Management, the profile, and Remove Profile."),
        is_elsewhere=True,
    ),
    Guide(
        "Windows",
        (
            N_("Open Settings, Network & internet, Proxy."),
            N_("Beside Use setup script choose Set up, switch it on, and enter {pac}"),
        ),
        (
            N_("Download {certificate} and open it: Install Certificate…, Current User."),
            N_(
                "Choose “Place all certificates in the following store” and there "
                "Trusted Root Certification Authorities."
            ),
        ),
        N_("Run certmgr.msc, open Trusted Root Certification Authorities, and delete {name}."),
    ),
    Guide(
        "macOS",
        (
            N_("Open System Settings, Network, your network’s Details…, Proxies."),
            N_("Switch on Automatic proxy configuration and enter {pac}"),
        ),
        (
            N_(
                "Download {certificate} and open it: Keychain Access adds it to the login keychain."
            ),
            N_("Open {name} there, and under Trust choose Always Trust."),
        ),
        N_("In Keychain Access delete {name}."),
    ),
    Guide(
        "Linux",
        (
            N_("Under GNOME open Settings, Network, Proxy, choose Automatic and enter {pac}"),
            Typed(
                N_("For programs in a terminal:"),
                "export http_proxy=http://{host}:{port} https_proxy=http://{host}:{port}",
            ),
        ),
        (
            Typed(
                N_(
                    "Download {certificate}, open a terminal in the folder of the download, and "
                    "run (Debian, Ubuntu):"
                ),
                "sudo cp winnow-ca.crt /usr/local/share/ca-certificates/ && "
                "sudo update-ca-certificates",
            ),
            Typed(
                N_("On Fedora:"),
                "sudo cp winnow-ca.crt /etc/pki/ca-trust/source/anchors/ && sudo update-ca-trust",
            ),
            N_("Firefox and Chromium keep certificates of their own: see above."),
        ),
        N_("Remove the copy of the file and run the command after && again."),
    ),
)
