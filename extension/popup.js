// The button's window: what Winnow did with the tab, and what the reader chooses.

import { articleKey, ask, askJson, browser, pairing, tabKey } from "./winnow.js";
import { proxyState, setProxy } from "./proxy.js";

const at = id => document.getElementById(id);
const ACTIONS = {
  extracted: "Winnow shows the article.",
  tidied: "Winnow tidied this page.",
  original: "Winnow left this page as it is.",
};
let tab, seen;

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
  at("method").replaceChildren(new Option("As usual", ""), ...methods.map(name => new Option(name, name)));
  await showProxy();
  at("read").hidden = !isPage(tab?.url);
  if (seen?.action && isPage(tab?.url)) await showSite();
}

/** What the response fields said; nothing where the tab shows another page than they were for. */
function said() {
  const text = ACTIONS[seen?.action];
  at("state").textContent = text
    ? `${text} (${[seen.reason, seen.extractor].filter(Boolean).join(", ")})`
    : isPage(tab?.url) ? "This page did not come through Winnow." : "This is no web page.";
}

async function showSite() {
  const now = await askJson("/-/api/page", { url: seen.url });
  const isOriginal = seen.action === "original";
  at("view").textContent = isOriginal ? "Show the article" : "Show the original";
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

async function readHere() {
  const [{ result }] = await browser.scripting.executeScript({ target: { tabId: tab.id }, files: ["document.js"] });
  if (!result?.markup) throw new Error("This page is too large, or cannot be read by extensions.");
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
at("proxy").addEventListener("change", () => run(async () => {
  await setProxy(at("proxy").checked);
  await showProxy();
}));

await run(async () => {
  tab = await openTab();
  const key = tabKey(tab?.id);
  seen = (await browser.storage.session.get(key))[key];
  if (seen?.url !== tab?.url?.split("#")[0]) seen = undefined;
  await show();
});
document.body.dataset.ready = "yes";
