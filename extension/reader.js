// Shows the article in the tab that its page was in: in a frame without scripts and without origin.

import { articleKey, browser, text, translate } from "./winnow.js";

translate();

const tab = await browser.tabs.getCurrent();
const key = articleKey(tab.id);
const found = (await browser.storage.session.get(key))[key];
if (found) {
  const article = new DOMParser().parseFromString(found.markup, "text/html");
  for (const link of article.querySelectorAll("a[href]"))
    link.target = link.getAttribute("href").startsWith("#") ? "_self" : "_top";
  document.title = article.title;
  const original = document.getElementById("original");
  original.href = found.url;
  original.textContent = new URL(found.url).host;
  original.hidden = false;
  document.getElementById("article").srcdoc = "<!doctype html>" + article.documentElement.outerHTML;
} else {
  document.querySelector("header").append(text("kept"));
}
document.body.dataset.ready = "yes";
