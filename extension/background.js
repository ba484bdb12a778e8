// Reads the response fields of each page that a tab opens, and shows on the button what they say.

import { articleKey, browser, tabKey, text } from "./winnow.js";

const PAGES = { urls: ["http://*/*", "https://*/*"], types: ["main_frame"] };
const BADGES = { extracted: "✓", tidied: "✓", original: "–" };

function field(headers, name) {
  return headers.find(each => each.name.toLowerCase() === name)?.value ?? "";
}

browser.webRequest.onResponseStarted.addListener(details => {
  const headers = details.responseHeaders ?? [];
  const seen = {
    url: details.url.split("#")[0],
    action: field(headers, "winnow-action"),
    reason: field(headers, "winnow-reason"),
    extractor: field(headers, "winnow-extractor"),
  };
  const badge = BADGES[seen.action] ?? "", title = badge ? text(seen.action) : "Winnow";
  const tabId = details.tabId;
  if (tabId < 0) return;
  browser.storage.session.set({ [tabKey(tabId)]: seen });
  // A tab that has gone meanwhile has no button.
  browser.action.setBadgeText({ tabId, text: badge }).catch(() => {});
  const why = seen.reason ? `${title} (${seen.reason})` : title;
  browser.action.setTitle({ tabId, title: why }).catch(() => {});
}, PAGES, ["responseHeaders"]);

browser.tabs.onRemoved.addListener(tab => {
  browser.storage.session.remove([tabKey(tab), articleKey(tab)]);
});
