// navigator.clipboard is there in secure contexts alone, not at http://winnow.internal.
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
