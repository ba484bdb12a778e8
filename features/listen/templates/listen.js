// Reads the article aloud, sentence by sentence, with the browser's own voices (Web Speech API).
(() => {
  "use strict";
  const article = document.querySelector("article"), box = document.getElementById("listen");
  const status = document.getElementById("listen-status"), play = document.getElementById("play");
  const speed = document.getElementById("speed"), remote = document.getElementById("remote");
  const speech = window.speechSynthesis, file = document.querySelector("audio");
  const BLOCKS = "p,li,h2,h3,h4,h5,h6,td,th,caption,figcaption,dt,dd,pre,blockquote,div,summary";
  const sentences = [];
  let here = 0, speaking = false, run = 0, utterance = null, known = [], late = 0;

  function split(text, lang) {
    if (window.Intl && Intl.Segmenter) {
      try {
        return [...new Intl.Segmenter(lang || undefined, { granularity: "sentence" }).segment(text)]
          .map(part => part.segment);
      } catch (error) { /* not a language tag: split as below */ }
    }
    return text.match(/[^.!?。！？]+[.!?。！？]*\s*/g) || [text];
  }

  // One group of text nodes for each run of inline text of one language: what is read together.
  function groups() {
    const found = [], walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
    let last = null, language = null, node;
    while ((node = walker.nextNode())) {
      if (!node.data.trim() || node.parentElement.closest("svg,math,[aria-hidden=true]")) continue;
      const block = node.parentElement.closest(BLOCKS) || article;
      const marked = node.parentElement.closest("[lang]");
      if (block !== last || marked !== language) found.push([]);
      found[found.length - 1].push(node);
      last = block;
      language = marked;
    }
    return found;
  }

  // Each piece of a sentence gets an element, which is marked while it is read.
  function wrap(nodes) {
    const element = nodes[0].parentElement.closest("[lang]");
    const lang = element ? element.lang : document.documentElement.lang;
    const written = nodes.map(node => node.data).join("");  // whose line breaks end no sentence
    const text = nodes[0].parentElement.closest("pre") ? written : written.replace(/\s/g, " ");
    let node = nodes.shift();
    for (const sentence of split(text, lang)) {
      const pieces = [];
      let left = sentence.length;
      while (left > 0 && node) {
        const rest = node.data.length > left ? node.splitText(left) : null;
        const piece = document.createElement("span");
        left -= node.data.length;
        node.replaceWith(piece);
        piece.append(node);
        pieces.push(piece);
        node = rest || nodes.shift();
      }
      if (/[\p{L}\p{N}]/u.test(sentence)) sentences.push({ text: sentence.trim(), lang, pieces });
    }
  }

  function voices() {
    return known.filter(voice => voice.localService || remote.checked);
  }

  function voiceFor(lang) {
    const plain = tag => tag.toLowerCase().replace("_", "-"), first = tag => plain(tag).split("-")[0];
    const order = [...voices()].sort((a, b) => b.localService - a.localService);
    return order.find(voice => lang && plain(voice.lang) === plain(lang)) ||
      order.find(voice => lang && first(voice.lang) === first(lang)) ||
      order.find(voice => voice.default) || order[0];
  }

  function unmark() {
    document.querySelectorAll(".now").forEach(piece => piece.classList.remove("now"));
  }

  function mark() {
    unmark();
    const pieces = sentences[here] ? sentences[here].pieces : [];
    pieces.forEach(piece => piece.classList.add("now"));
    if (pieces[0]) pieces[0].scrollIntoView({ block: "nearest" });
  }

  function shown() {
    play.textContent = speaking ? play.dataset.pause : play.dataset.play;
    document.getElementById("aloud").hidden = !voices().length;
    document.getElementById("no-voice").hidden = known.length > 0;
    document.getElementById("online").hidden =
      known.every(voice => voice.localService);
  }

  // A speech service can have ten thousand voices and tell of each: they are looked at together.
  function look() {
    late = 0;
    known = speech ? speech.getVoices() : [];
    shown();
  }

  function stop() {
    run += 1;
    speaking = false;
    if (speech) speech.cancel();
    shown();
  }

  function leave() {
    stop();
    unmark();
  }

  function say() {
    const sentence = sentences[here], mine = (run += 1);
    speech.cancel();
    if (!sentence) { here = 0; stop(); mark(); return; }
    utterance = new SpeechSynthesisUtterance(sentence.text);
    utterance.voice = voiceFor(sentence.lang);
    utterance.lang = sentence.lang || utterance.voice.lang;
    utterance.rate = Number(speed.value);
    utterance.onend = () => { if (mine === run) { here += 1; say(); } };
    utterance.onerror = event => {
      if (mine !== run) return;
      status.textContent = status.dataset.failed + " " + event.error;
      stop();
    };
    speaking = true;
    if (file) file.pause();
    mark();
    shown();
    speech.speak(utterance);
  }

  function go(step) {
    here = Math.min(Math.max(here + step, 0), sentences.length - 1);
    if (speaking) say(); else mark();
  }

  groups().forEach(wrap);
  box.hidden = false;
  play.addEventListener("click", () => (speaking ? stop() : say()));
  document.getElementById("next").addEventListener("click", () => go(1));
  document.getElementById("previous").addEventListener("click", () => go(-1));
  speed.addEventListener("change", () => { if (speaking) say(); });
  remote.addEventListener("change", () => { if (!voices().length) leave(); else shown(); });
  if (file) file.addEventListener("play", leave);
  document.addEventListener("keydown", event => {
    if (!voices().length || event.target.closest("button,input,select,textarea,a,audio") ||
        event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "ArrowRight") go(1);
    else if (event.key === "ArrowLeft") go(-1);
    else if (event.key === " ") speaking ? stop() : say();
    else return;
    event.preventDefault();
  });
  window.addEventListener("pagehide", stop);
  if (speech && speech.addEventListener)
    speech.addEventListener("voiceschanged", () => { late = late || setTimeout(look, 200); });
  look();
})();
