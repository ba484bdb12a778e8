// What all parts of the extension share: its store, and Winnow's API.

export const browser = globalThis.browser ?? globalThis.chrome;
const ADDRESS = "http://127.0.0.1:8080";

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
    throw new Error(`Winnow does not answer at ${address}.`);
  }
  if (answer.ok) return answer;
  if (answer.status === 403 && path !== "/-/api/pair") throw new Error("Winnow does not know this extension any more: pair it again.");
  const problem = await answer.json().catch(() => ({}));
  throw new Error(problem.detail ?? `Winnow answered ${answer.status}.`);
}

export async function askJson(path, question) {
  return (await ask(path, JSON.stringify(question))).json();
}

/** Where what was done with a tab's page is kept, until the browser ends. */
export const tabKey = tab => `tab-${tab}`;
export const articleKey = tab => `article-${tab}`;
