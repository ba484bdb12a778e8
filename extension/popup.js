// The button's window: what Winnow did with the tab, and what the reader chooses.

import { articleKey, ask, askJson, browser, pairing, tabKey, text, translate } from "./winnow.js";
import { proxyState, setProxy } from "./proxy.js";

const at = id => document.getElementById(id);
const ACTIONS = new Set(["extracted", "tidied", "original"]);
let tab, seen, article;

async function openTab() {
  const named = Number(new URLSearchParams(location.search).get("tab"));
  if (named) return browser.tabs.get(named);
  const [active] = await browser.tabs.query({ active: true, currentWindow: true });
  return active;
}

const isPage = url => /^https?:/.test(url ?? "");

/** Run what a control does; an error is shown as a sentence. */
async function run(step) {
  at("error").hidden = true;
  document.body.toggleAttribute("aria-busy", true);
  try { await step(); } catch (error) {
    at("error").textContent = error.message;
    at("error").hidden = false;
  }
  document.body.removeAttribute("aria-busy");
}

async function show() {
  const { address, key, methods } = await pairing();
  at("unpaired").hidden = Boolean(key);
  at("paired").hidden = !key;
  at("address").value = address;
  at("code-page").href = `${address}/-/extensions`;
  at("settings").href = `${address}/-/settings`;
  said();
  if (!key) return;
  at("method").replaceChildren(new Option(text("usual"), ""), ...methods.map(name => new Option(name, name)));
  await showProxy();
  at("read").hidden = !isPage(tab?.url);
  at("save").hidden = !isPage(tab?.url) && !article;
  if (seen?.action && isPage(tab?.url)) await showSite();
}

/** What the response fields said; nothing where the tab shows another page than they were for. */
function said() {
  const isSeen = ACTIONS.has(seen?.action);
  at("state").textContent = text(isSeen ? seen.action : isPage(tab?.url) ? "elsewhere" : "noPage");
  at("state").title = isSeen ? [seen.reason, seen.extractor].filter(Boolean).join(", ") : "";
}

async function showSite() {
  const now = await askJson("/-/api/page", { url: seen.url });
  const isOriginal = seen.action === "original";
  at("view").textContent = text(isOriginal ? "showArticle" : "showOriginal");
  at("view").dataset.view = isOriginal ? "extract" : "original";
  at("view").hidden = false;
  for (const part of document.querySelectorAll(".site")) part.hidden = false;
  at("mode").value = now.mode;
  if (now.extractor && ![...at("method").options].some(each => each.value === now.extractor))
    at("method").add(new Option(now.extractor, now.extractor));
  at("method").value = now.extractor;
}

async function showProxy() {
  const state = await proxyState();
  at("proxy").checked = state.on;
  at("proxy").disabled = Boolean(state.note) && !state.on;
  at("proxy-note").textContent = state.note;
  at("proxy-note").hidden = !state.note;
}

async function change(question) {
  await askJson("/-/api/page", { url: seen.url, ...question });
  await browser.tabs.reload(tab.id);
}

/** The tab's document as it stands. */
async function rendered() {
  const [{ result }] = await browser.scripting.executeScript({ target: { tabId: tab.id }, files: ["document.js"] });
  if (!result?.markup) throw new Error(text("tooLarge"));
  return result;
}

/** Save what the reader sees; of a page that Winnow changed the address, to be fetched anew. */
async function save() {
  const isChanged = seen?.action === "extracted" || seen?.action === "tidied";
  const { url, markup } = article ?? (isChanged ? { url: seen.url, markup: "" } : await rendered());
  const query = new URLSearchParams({ url });
  const answer = await ask(`/-/api/save?${query}`, markup, "text/html; charset=utf-8");
  at("saved-page").href = (await pairing()).address + (await answer.json()).page;
  at("saved").hidden = false;
}

async function readHere() {
  const result = await rendered();
  const query = new URLSearchParams({ format: "html", url: result.url });
  const answer = await ask(`/-/api/extract?${query}`, result.markup, "text/html; charset=utf-8");
  await browser.storage.session.set({ [articleKey(tab.id)]: { url: result.url, markup: await answer.text() } });
  await browser.tabs.update(tab.id, { url: browser.runtime.getURL("reader.html") });
}

at("address").addEventListener("change", () => run(async () => {
  const address = new URL(at("address").value).origin;
  await browser.storage.local.set({ address });
  await show();
}));
at("pair").addEventListener("submit", event => {
  event.preventDefault();
  run(async () => {
    const { key, methods } = await askJson("/-/api/pair", { code: at("code").value });
    await browser.storage.local.set({ key, methods });
    await show();
  });
});
at("forget").addEventListener("click", () => run(async () => {
  await browser.storage.local.remove(["key", "methods"]);
  await show();
}));
at("view").addEventListener("click", () => run(() => change({ view: at("view").dataset.view })));
at("mode").addEventListener("change", () => run(() => change({ mode: at("mode").value, view: "auto" })));
at("method").addEventListener("change", () => run(() => change({ extractor: at("method").value, view: "auto" })));
at("read").addEventListener("click", () => run(readHere));
at("save").addEventListener("click", () => run(save));
at("proxy").addEventListener("change", () => run(async () => {
  await setProxy(at("proxy").checked);
  await showProxy();
}));

translate();
await run(async () => {
  tab = await openTab();
  const key = tabKey(tab?.id), kept = articleKey(tab?.id);
  const found = await browser.storage.session.get([key, kept]);
  seen = found[key];
  if (tab?.url === browser.runtime.getURL("reader.html")) article = found[kept];
  if (seen?.url !== tab?.url?.split("#")[0]) seen = undefined;
  await show();
});
document.body.dataset.ready = "yes";
