// Clicks and keys for the form of /-/annotate, which works without them.
"use strict";
(() => {
  const blocks = [...document.querySelectorAll("#blocks fieldset")];
  const saved = document.getElementById("saved");
  const keys = { t: "title", h: "heading", b: "body", n: "none" };
  let last = 0;

  const label = (block) => block.querySelector("input:checked").value;
  const wordsOf = (block) => block.querySelector("p").textContent.split(/\s+/).filter(Boolean).length;

  const tell = (before) => {
    const marked = blocks.filter((block) => label(block) !== "none");
    const words = marked.reduce((sum, block) => sum + wordsOf(block), 0);
    saved.textContent = `${before}${marked.length} of ${blocks.length} blocks are marked, ${words} words.`;
  };

  const mark = (index, value, through) => {
    const [first, end] = through ? [Math.min(last, index), Math.max(last, index)] : [index, index];
    for (let at = first; at <= end; at += 1)
      blocks[at].querySelector(`input[value=${value}]`).checked = true;
    last = index;
    tell(first < end ? `Blocks ${first + 1} to ${end + 1}: ${value}. ` : `Block ${index + 1}: ${value}. `);
  };

  const go = (index) => {
    const block = blocks[Math.max(0, Math.min(index, blocks.length - 1))];
    block.querySelector("input:checked").focus();
    block.scrollIntoView({ block: "nearest" });
  };

  const usual = (block) => (block.querySelector("p.heading") ? "heading" : "body");

  blocks.forEach((block, index) => {
    block.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const key = event.key.toLowerCase();
      if (key in keys) {
        mark(index, keys[key], event.shiftKey);
        go(index);
      } else if (key === "j" || key === "k") go(index + (key === "j" ? 1 : -1));
      else return;
      event.preventDefault();
    });
    block.querySelector("p").addEventListener("click", (event) => {
      if (event.shiftKey) mark(index, label(blocks[last]), true);
      else if (String(getSelection())) return;
      else mark(index, label(block) === "none" ? usual(block) : "none", false);
      getSelection().removeAllRanges();
      block.querySelector("input:checked").focus({ preventScroll: true });
    });
    block.addEventListener("change", () => {
      last = index;
      tell("");
    });
  });
  document.body.classList.add("scripted");
  tell("");
})();
