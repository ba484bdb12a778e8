"""The table of docs/security.md says what is decided about requests for our own faces."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, field
from datetime import UTC, datetime
from ipaddress import ip_network
from itertools import product
from pathlib import Path

import pytest

from winnow.feature import faces_of
from winnow.feature_list import FEATURES
from winnow.proxy.access.admission import admit, known_as
from winnow.proxy.access.credentials.authentication import Authenticator
from winnow.proxy.access.credentials.image_signatures import ImageSignatures
from winnow.proxy.access.credentials.passwords import hash_password
from winnow.proxy.access.credentials.tokens import (
    REACH_COOKIE,
    FormTokens,
    form_purpose,
    reach_purpose,
)
from winnow.proxy.access.own_addresses import OwnFace
from winnow.proxy.access.own_faces import (
    Allowed,
    Credential,
    Decision,
    FaceRequest,
    Reach,
    Refused,
    decide,
)
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.face_requests import face_request, from_extension
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.routing import route
from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.stores.paired_extensions import PairedExtension, digest_of

TEXT = (Path(__file__).parents[2] / "docs" / "security.md").read_text()
SECTION = TEXT.partition("## Who may ask our own faces")[2].partition("\n## ")[0]
ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split(" | "))
    for line in SECTION.splitlines()
    if line.startswith("| ") and not line.startswith("| who asks")
]
TARGET = "http://10.0.0.1/x"
PATHS = {
    "gateway": f"/{TARGET}",
    "API": f"/-/api/extract?url={TARGET}",
    "fetch": f"/-/why?url={TARGET}",
    "audio": f"/-/audio?url={TARGET}",
    "page": "/-/status?",
    "form": "/-/settings?",
    "show": "/-/show?",
    "harmless": "/-/health?",
}
ALL = ("gateway", "API", "fetch", "audio", "page", "form")
CASES = [
    pytest.param(words, face, says, id=f"{who[:50]} {face}")
    for who, faces, words, says in ROWS
    for face in (ALL if faces == "all" else faces.split(", "))
]
HASH = hash_password("secret")
PROOFS = {
    "password": ("Authorization", "Basic " + b64encode(b"ann:secret").decode()),
    "API key": ("Authorization", "Bearer robot.secret"),
    "pairing key": ("Winnow-Pairing", "k3y"),
}
PAIRED = (PairedExtension("moz-extension://a-1", "127.0.0.1", digest_of("k3y"), "2026-11-22"),)
POLICY = Policy(faces=faces_of(FEATURES))
TOKENS = FormTokens()
NOW = datetime.now(UTC)


@dataclass
class Row:
    """A request as a row's words say it."""

    face: str
    method: str = "GET"
    client: str = "127.0.0.1"
    host: str = "127.0.0.1:8080"
    query: str = ""
    users: bool = True
    image: bool = False
    fields: list[Field] = field(default_factory=list)

    def read(self, word: str) -> None:
        name, colon, value = word.partition(": ")
        if word in ("POST", "OPTIONS"):
            self.method = word
        elif word in PROOFS:
            self.fields.append(PROOFS[word])
        elif word == "token":
            self.query = f"&token={TOKENS.make(form_purpose(self.client), NOW)}"
        elif word == f"Cookie: {REACH_COOKIE}":
            token = TOKENS.make(reach_purpose(self.client, "http://10.0.0.1"), NOW)
            self.fields.append(("Cookie", f"{REACH_COOKIE}={token}"))
        elif word == "image signature":
            self.image = True
        elif word == "no users":
            self.users = False
        elif name == "client":
            self.client = value
        elif name == "Host":
            self.host = value
        else:
            assert colon, word
            self.fields += [(name, value)] + [("Connection", "Upgrade")] * (name == "Upgrade")

    async def decision(self) -> Decision:
        sends = self.face in ("form", "show") and self.method == "GET"
        method = "POST" if sends else self.method
        path = PATHS[self.face] + (self.query if self.face != "gateway" else "")
        own = f"http://{self.host}"
        if self.image:
            source = f'src="https://winnow.internal/-/small/{TARGET}"'.encode()
            signed = ImageSignatures(TOKENS)(source, self.client)
            path = "/-/small/" + signed.decode().strip('"').partition("/-/small/")[2]
        through_proxy = self.host == "winnow.internal"
        fields = Headers((("Host", self.host), *self.fields))
        head = RequestHead(method, own + path if through_proxy else path, fields, self.client)
        users = {"ann": HASH} if self.users else {}
        networks = (ip_network("127.0.0.0/8"), ip_network("192.168.0.0/16"))
        is_verified = any(name == "Authorization" for name, _ in self.fields)
        gate = Authenticator(users, () if is_verified else networks, keys={"robot": HASH})
        proof = await admit(gate, head, POLICY.page_names, POLICY.faces)
        head = known_as(head, POLICY.page_names)
        request = face_request(head, route(head, POLICY), own, proof, TOKENS, faces=POLICY.faces)
        assert request
        assert (request.face == "api" and self.face == "API") or request.face == self.face
        return decide(from_extension(request, head, route(head, POLICY), PAIRED))


@pytest.mark.parametrize(("words", "face", "says"), CASES)
async def test_a_row_is_what_is_decided(words: str, face: str, says: str) -> None:
    row = Row(face)
    for word in re.findall(r"`([^`]+)`", words):
        row.read(word)
    decision = await row.decision()
    if isinstance(decision, Refused):
        assert says == f"refused {decision.status}"
        assert decision.sentence.endswith(".")
    else:
        assert says == decision.reach


def test_the_table_has_every_face_and_every_decision() -> None:
    assert len(ROWS) > 40
    assert {says for *_, says in ROWS} == {
        "refused 403",
        "refused 421",
        "refused 401",
        *Reach,
    }
    assert {face for _, faces, *_ in ROWS if faces != "all" for face in faces.split(", ")} == {
        *PATHS
    }


OWN = "http://127.0.0.1:8080"
SITES = ("", "none", "same-origin", "same-site", "cross-site", "none, none", "odd")
ORIGINS = ("", OWN, "null", "http://evil.example", "http://127.0.0.1:8081")
REFERERS = ("", f"{OWN}/", f"{OWN}/-/why", f"{OWN}/http://evil.example/", "http://evil.example/")
TARGETS = frozenset({"http://10.0.0.1"})


def every_request() -> list[FaceRequest]:
    """All that a browser could send for a page of another site, and more."""
    return [
        FaceRequest(
            face, OWN, method, site, mode, dest, origin, referer, "Mozilla/5.0", TARGETS,
            is_upgrade=upgrade,
        )
        for face, method, site, (mode, dest), origin, referer, upgrade in product(
            set(OwnFace) - {OwnFace.HARMLESS},
            ("GET", "POST"),
            SITES,
            (("", ""), ("navigate", "document"), ("navigate", "iframe"), ("no-cors", "image")),
            ORIGINS,
            REFERERS,
            (False, True),
        )
    ]  # fmt: skip


def test_no_request_that_tells_of_another_site_reaches_anything_private() -> None:
    told = 0
    for request in every_request():
        foreign = (
            request.site not in ("", "none", "same-origin")
            or (request.origin not in ("", OWN) and request.site != "same-origin")
            or (request.site != "none" and "evil" in request.referer)
        )
        if foreign:
            told += 1
            assert decide(request) != Allowed(Reach.CLIENT), request
    assert told > 1000


def test_no_sub_resource_form_or_upgrade_of_another_site_is_answered() -> None:
    """But a document that it sends to be shown, in a window of its own."""
    for request in every_request():
        is_top_level = request.mode in ("", "navigate") and request.dest in ("", "document")
        is_seen = is_top_level and (request.face is OwnFace.SHOW or request.mode == "navigate")
        is_link = is_seen and (request.method == "GET" or request.face is OwnFace.SHOW)
        is_link = is_link and not request.is_upgrade
        if request.site not in ("", "none", "same-origin") and not is_link:
            assert isinstance(decide(request), Refused), request


def test_without_fetch_metadata_a_browser_reaches_private_addresses_from_our_own_pages_alone() -> (
    None
):
    for request in every_request():
        if not request.site and decide(request) == Allowed(Reach.CLIENT):
            assert request.referer == f"{OWN}/-/why", request


@pytest.mark.parametrize("credential", list(Credential))
def test_a_strange_name_never_reaches_anything_private(credential: Credential) -> None:
    for face in OwnFace:
        request = FaceRequest(
            face, OWN, site="none", targets=TARGETS, credential=credential, is_own_host=False
        )
        assert decide(request) != Allowed(Reach.CLIENT)


def test_a_page_with_a_public_name_reaches_public_addresses_also_for_itself() -> None:
    """Its name could lead to a private address when Winnow asks for it (DNS rebinding)."""
    request = FaceRequest(
        OwnFace.FETCH,
        "http://127.0.0.1:8080",
        site="cross-site",
        mode="navigate",
        dest="document",
        referer="http://evil.example/",
        targets=frozenset({"http://evil.example"}),
    )
    assert decide(request) == Allowed(Reach.PUBLIC)
