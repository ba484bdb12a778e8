// Mozilla Readability in a node process of its own, speaking as runner.py does: JSON lines.
// Knows how its readme calls it (over jsdom or linkedom); refuses to know gold texts.
"use strict";
const readline = require("node:readline");
const { Readability } = require("@mozilla/readability");

const PARSERS = { jsdom: withJsdom, linkedom: withLinkedom };
const parsed = PARSERS[process.argv[2]]();

const BLOCKS = "address,article,aside,blockquote,br,dd,div,dl,dt,figcaption,figure,footer,h1,h2,h3,h4,h5,h6," +
  "header,hr,li,main,nav,ol,p,pre,section,table,td,th,tr,ul";

function withJsdom() {
  const { JSDOM, VirtualConsole } = require("jsdom");
  return (body, url) => new JSDOM(body, { url: url || undefined, virtualConsole: new VirtualConsole() }).window;
}

function withLinkedom() {
  const { parseHTML } = require("linkedom");
  return (body, _url, encoding) => parseHTML(new TextDecoder(encoding || "utf-8").decode(body));
}

function textOf(article, document) {
  if (!article) return "";
  const holder = document.createElement("div");
  holder.innerHTML = article.content;
  for (const block of holder.querySelectorAll(BLOCKS)) block.before("\n"), block.append("\n");
  return holder.textContent;
}

function answered(line) {
  const fields = JSON.parse(line);
  const body = Buffer.from(fields.html, "base64");
  const start = process.cpuUsage();
  try {
    const { document } = parsed(body, fields.url, fields.encoding);
    const article = new Readability(document).parse();
    const used = process.cpuUsage(start);
    const text = fields.markup ? article?.content || "" : textOf(article, document);
    document.defaultView?.close?.();
    return { text, seconds: (used.user + used.system) / 1e6 };
  } catch (error) {
    return { error: String(error) };
  }
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(JSON.stringify(answered(line)) + "\n");
});
