// Runs in the tab's page, apart from its scripts, when the reader asks for the article: the document
// as it stands, as markup without scripts. Shadow trees, slots and frames of the same origin are in
// their places. Nothing in the page is changed, and no script of it can see this.

(() => {
  const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
  const LEFT_OUT = new Set(["script", "style", "noscript", "template", "svg", "object", "embed"]);
  const DEEPEST = 200, LARGEST = 8_000_000;
  const parts = [];
  let size = 0;

  const put = text => { size += text.length; if (size <= LARGEST) parts.push(text); };
  const escaped = text => text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`);

  function shadow(element) {
    const dom = globalThis.chrome?.dom ?? globalThis.browser?.dom;
    try { return element.openOrClosedShadowRoot ?? dom?.openOrClosedShadowRoot?.(element) ?? element.shadowRoot; }
    catch { return element.shadowRoot; }
  }

  function inside(frame) {
    try { return frame.contentDocument?.body ?? null; } catch { return null; }
  }

  function children(nodes, depth) {
    for (const node of nodes) write(node, depth - 1);
  }

  function write(node, depth) {
    if (depth === 0 || size > LARGEST) return;
    if (node.nodeType === Node.TEXT_NODE) { put(escaped(node.data)); return; }
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    const name = node.localName;
    if (name === "script" && node.type === "application/ld+json") {
      put(`<script type="application/ld+json">${node.textContent.replace(/<\//g, "<\\/")}</script>`);
      return;
    }
    if (LEFT_OUT.has(name)) return;
    if (name === "slot") {
      const given = node.assignedNodes();
      children(given.length ? given : node.childNodes, depth);
      return;
    }
    const framed = name === "iframe" || name === "frame" ? inside(node) : null;
    if (framed) {
      put("<section>"); children(framed.childNodes, depth); put("</section>");
      return;
    }
    put(`<${name}`);
    for (const { name: attribute, value } of node.attributes)
      if (/^[a-z][a-z0-9:_-]*$/i.test(attribute)) put(` ${attribute}="${escaped(value)}"`);
    put(">");
    if (VOID.has(name)) return;
    children((shadow(node) ?? node).childNodes, depth);
    put(`</${name}>`);
  }

  write(document.documentElement, DEEPEST);
  return { url: location.href, markup: size > LARGEST ? "" : "<!doctype html>" + parts.join("") };
})();
