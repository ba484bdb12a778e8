// What all parts of the extension share: its store, and Winnow's API.

export const browser = globalThis.browser ?? globalThis.chrome;
const ADDRESS = "http://127.0.0.1:8080";

/** A text in the browser's language (_locales). */
export const text = (name, value) => browser.i18n.getMessage(name, value === undefined ? [] : [String(value)]);

/** Puts the texts of a page of ours where they belong. */
export function translate() {
  document.documentElement.lang = browser.i18n.getUILanguage();
  document.documentElement.dir = browser.i18n.getMessage("@@bidi_dir");
  for (const each of document.querySelectorAll("[data-text]")) each.textContent = text(each.dataset.text);
  for (const each of document.querySelectorAll("[data-title]")) each.title = text(each.dataset.title);
}

/** What is kept: Winnow's address, the key of the pairing, methods and reasons by their names. */
export async function pairing() {
  const kept = await browser.storage.local.get({ address: ADDRESS, key: "", methods: [] });
  return { ...kept, address: kept.address.replace(/\/+$/, "") };
}

/** An answer of Winnow's API; throws an Error whose message is a sentence. */
export async function ask(path, body, type = "application/json") {
  const { address, key } = await pairing();
  let answer;
  try {
    answer = await fetch(address + path, {
      method: "POST", body, headers: { "Content-Type": type, "Winnow-Pairing": key },
      credentials: "omit", cache: "no-store", redirect: "error",
    });
  } catch {
    throw new Error(text("noAnswer", address));
  }
  if (answer.ok) return answer;
  if (answer.status === 403 && path !== "/-/api/pair") throw new Error(text("unpaired"));
  const problem = await answer.json().catch(() => ({}));
  throw new Error(problem.detail ?? text("status", answer.status));
}

export async function askJson(path, question) {
  return (await ask(path, JSON.stringify(question))).json();
}

/** Where what was done with a tab's page is kept, until the browser ends. */
export const tabKey = tab => `tab-${tab}`;
export const articleKey = tab => `article-${tab}`;
