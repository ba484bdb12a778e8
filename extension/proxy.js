// Sets and unsets the browser's proxy: Winnow's automatic configuration, so that only pages that
// Winnow can read go through it, and none if it does not answer.

import { browser, pairing, text } from "./winnow.js";

const settings = () => browser.proxy.settings;
const isFirefox = browser.runtime.getURL("").startsWith("moz-extension:");

function value(address) {
  const url = `${address}/-/proxy.pac`;
  return isFirefox
    ? { proxyType: "autoConfig", autoConfigUrl: url }
    : { mode: "pac_script", pacScript: { url, mandatory: false } };
}

/** Whether we set it; `note` says why we cannot, "" where we can. */
export async function proxyState() {
  if (isFirefox && !(await browser.extension.isAllowedIncognitoAccess())) return { on: false, note: text("private") };
  const { levelOfControl } = await settings().get({});
  const on = levelOfControl === "controlled_by_this_extension";
  const note = on || levelOfControl === "controllable_by_this_extension" ? "" : text("taken");
  return { on, note };
}

export async function setProxy(on) {
  const { address } = await pairing();
  await (on ? settings().set({ value: value(address) }) : settings().clear({}));
}
