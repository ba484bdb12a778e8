// The report's behaviour: sorting and filtering the pages, and the view of one page.
// Texts of pages are only ever set as text, never as markup.
"use strict";
const find = (id) => document.getElementById(id);
const rows = [...find("pages").tBodies[0].rows];
for (const button of document.querySelectorAll("[data-view]")) {
  if (!find("view" + button.dataset.view)) button.replaceWith(button.textContent); // not kept
}
let shown = [...rows];
let current = null;

function cellValue(row, column) {
  const text = row.cells[column].textContent.trim();
  return text === "" || isNaN(text) ? text.toLowerCase() : Number(text);
}

function sortBy(heading) {
  const headings = [...heading.parentNode.cells];
  const column = headings.indexOf(heading);
  const down = heading.getAttribute("aria-sort") === "ascending";
  headings.forEach((other) => other.removeAttribute("aria-sort"));
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  const order = (left, right) => {
    const [a, b] = [cellValue(left, column), cellValue(right, column)];
    const less = typeof a === typeof b ? a < b : typeof a === "number";
    return a === b ? 0 : less === down ? 1 : -1;
  };
  rows.sort(order);
  find("pages").tBodies[0].append(...rows);
  filter();
}

function filter() {
  const wantedPackage = find("package").value;
  const words = find("filter").value.toLowerCase();
  const fits = (row) => (!wantedPackage || row.cells[1].textContent === wantedPackage)
    && row.textContent.toLowerCase().includes(words);
  rows.forEach((row) => { row.hidden = !fits(row); });
  shown = rows.filter((row) => !row.hidden);
}

async function unpacked(number) {
  const bytes = Uint8Array.from(atob(find("view" + number).textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

function paint(holder, text, ranges, tag) {
  const points = Array.from(text); // ranges count code points, as Python does
  holder.replaceChildren();
  let reached = 0;
  for (let index = 0; index < ranges.length; index += 2) {
    holder.append(points.slice(reached, ranges[index]).join(""));
    const marked = document.createElement(tag);
    marked.textContent = points.slice(ranges[index], ranges[index + 1]).join("");
    holder.append(marked);
    reached = ranges[index + 1];
  }
  holder.append(points.slice(reached).join(""));
  holder.scrollTop = 0;
}

function paintSubject() {
  const output = current.view.outputs[find("subject").selectedIndex];
  paint(find("gold"), current.view.gold, output.missed, "del");
  paint(find("output"), output.text, output.added, "ins");
  const notes = [
    output.whole ? "" : "The texts are too long to be compared word by word here.",
    current.view.gold.trim() ? "" : "The gold is empty: this page has no main content.",
    output.text.trim() ? "" : "The output is empty.",
  ];
  find("note").textContent = notes.filter(Boolean).join(" ");
}

async function open(row) {
  const button = row.querySelector("[data-view]");
  const before = find("subject").selectedIndex;
  current = { row, view: await unpacked(button.dataset.view) };
  find("view-title").textContent = row.cells[1].textContent + " · " + button.textContent;
  const options = current.view.outputs.map((output) => new Option(output.subject));
  find("subject").replaceChildren(...options);
  find("subject").selectedIndex = Math.max(0, Math.min(before, options.length - 1));
  paintSubject();
  if (!find("view").open) find("view").showModal();
}

function step(by) {
  const viewed = shown.filter((row) => row.querySelector("[data-view]"));
  const next = viewed[viewed.indexOf(current.row) + by];
  if (next) open(next);
}

find("pages").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if ("view" in button.dataset) open(button.closest("tr"));
  else sortBy(button.closest("th"));
});
find("package").addEventListener("change", filter);
find("filter").addEventListener("input", filter);
find("subject").addEventListener("change", paintSubject);
find("previous").addEventListener("click", () => step(-1));
find("next").addEventListener("click", () => step(1));
find("close").addEventListener("click", () => find("view").close());
