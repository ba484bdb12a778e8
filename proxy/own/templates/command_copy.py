"""Commands that are typed in a terminal, each with a button that copies it. Pure.

Without script a click on a command selects all of it.
"""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from winnow.proxy.own.translation import _

COPY_STYLE: Final = Markup("pre.command { user-select: all; margin: .3rem 0; }\n")
COPY_SCRIPT: Final = Markup("""
for (const pre of document.querySelectorAll("pre.command")) {
  const button = document.createElement("button"), said = document.createElement("span");
  button.type = "button";
  button.textContent = pre.dataset.copy;
  said.setAttribute("role", "status");
  button.addEventListener("click", async () => {
    getSelection().selectAllChildren(pre);
    try { await navigator.clipboard.writeText(pre.textContent); }
    catch { if (!document.execCommand("copy")) return; }
    said.textContent = pre.dataset.copied;
  });
  pre.after(button, said);
}
""")
"""``navigator.clipboard`` is there in secure contexts alone, not at http://winnow.internal."""


def command_part(command: str) -> Markup:
    """A command as it is typed."""
    return Markup('<pre class="command" data-copy="{}" data-copied="{}">{}</pre>').format(
        _("Copy"), _("Copied."), command
    )
