"""Applications of the frameworks that the web uses, from npm's own builds."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

PACKAGES = (
    "react@18.3.1",
    "react-dom@18.3.1",
    "vue@3.5.13",
    "svelte@4.2.19",
    "preact@10.25.4",
    "lit@3.2.1",
    "alpinejs@3.14.8",
    "@angular/core@17.3.12",
    "@angular/common@17.3.12",
    "@angular/compiler@17.3.12",
    "@angular/platform-browser@17.3.12",
    "rxjs@7.8.1",
    "tslib@2.8.1",
    "zone.js@0.14.10",
)
_SVELTE_FILES = "/npm/svelte/src/runtime/internal"
_MAP = {
    "lit": "/npm/lit/index.js",
    "lit/": "/npm/lit/",
    "lit-html": "/npm/lit-html/lit-html.js",
    "lit-html/": "/npm/lit-html/",
    "lit-element/": "/npm/lit-element/",
    "@lit/reactive-element": "/npm/@lit/reactive-element/reactive-element.js",
    "@lit/reactive-element/": "/npm/@lit/reactive-element/",
    "preact": "/npm/preact/dist/preact.module.js",
    "svelte/internal": f"{_SVELTE_FILES}/index.js",
    "svelte/internal/disclose-version": f"{_SVELTE_FILES}/disclose-version/index.js",
    "@angular/core": "/npm/@angular/core/fesm2022/core.mjs",
    "@angular/core/primitives/signals": "/npm/@angular/core/fesm2022/primitives/signals.mjs",
    "@angular/common": "/npm/@angular/common/fesm2022/common.mjs",
    "@angular/common/http": "/npm/@angular/common/fesm2022/http.mjs",
    "@angular/compiler": "/npm/@angular/compiler/fesm2022/compiler.mjs",
    "@angular/platform-browser": "/npm/@angular/platform-browser/fesm2022/platform-browser.mjs",
    "rxjs": "/npm/rxjs/dist/esm/index.js",
    "rxjs/operators": "/npm/rxjs/dist/esm/operators/index.js",
    "tslib": "/npm/tslib/tslib.es6.mjs",
}
_IMPORTS = f"<script type=importmap>{json.dumps({'imports': _MAP})}</script>"
_SVELTE = """import { compile } from 'svelte/compiler';
console.log(compile(process.argv[1], {css: 'injected'}).js.code)"""


@cache
def modules() -> Path:
    """The folder of the installed packages; npm fetches them once."""
    digest = hashlib.sha256(" ".join(PACKAGES).encode()).hexdigest()[:12]
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = caches / "winnow" / f"frameworks-{digest}"
    if not (folder / "complete").exists():
        npm = shutil.which("npm")
        assert npm, "These tests need npm: apt-get install npm."
        folder.mkdir(parents=True, exist_ok=True)
        command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]
        subprocess.run([*command, str(folder), *PACKAGES], check=True, capture_output=True)
        (folder / "complete").touch()
    return folder / "node_modules"


def file_of(path: str) -> tuple[str, str]:
    """The media type and the text of a file of the packages; a script may leave out its ending."""
    found = modules() / path
    if not found.is_file():
        found = found / "index.js" if found.is_dir() else found.with_name(f"{found.name}.js")
    return "text/javascript", found.read_text("utf-8")


@cache
def svelte_component(html: str) -> str:
    """A component that shows ``html``, as Svelte's compiler builds it."""
    node = shutil.which("node")
    assert node, "These tests need node: apt-get install nodejs."
    source = "<script>let shown = true</script>{#if shown}" + html + "{/if}"
    command = [node, "--input-type=module", "--eval", _SVELTE, source]
    built = subprocess.run(
        command, cwd=modules(), check=True, capture_output=True, text=True, timeout=60
    )
    return built.stdout


def applications(sentences: tuple[str, ...], html: str) -> dict[str, str]:
    """Pages by the framework that writes them; each shows a heading and the sentences."""
    texts = json.dumps(sentences)
    react = (
        "<script src=/npm/react/umd/react.production.min.js></script>"
        "<script src=/npm/react-dom/umd/react-dom.production.min.js></script>"
    )
    view = (
        f"const e = React.createElement; const App = () => e('main', null, "
        f"e('h1', null, 'The river'), {texts}.map((t, i) => e('p', {{key: i}}, t)));"
    )
    effect = (
        f"const e = React.createElement; const App = () => {{ const [all, set] = "
        f"React.useState([]); React.useEffect(() => {{ setTimeout(() => set({texts}), 100) }}, "
        "[]); return e('main', null, e('h1', null, 'The river'), all.map((t, i) => "
        "e('p', {key: i}, t))) };"
    )
    return {
        "React": f"<div id=root></div>{react}<script>{view}"
        "ReactDOM.createRoot(root).render(e(App))</script>",
        "React with an effect": f"<div id=root></div>{react}<script>{effect}"
        "ReactDOM.createRoot(root).render(e(App))</script>",
        "React, hydrated": f"<div id=root><main><h1>The river</h1>{html}</main></div>{react}"
        f"<script>{view}ReactDOM.hydrateRoot(root, e(App))</script>",
        "Vue": "<div id=app></div><script src=/npm/vue/dist/vue.global.prod.js></script><script>"
        f"Vue.createApp({{data: () => ({{all: {texts}}}), template: '<h1>The river</h1>"
        "<p v-for=\"t in all\">{{ t }}</p>'}).mount('#app')</script>",
        "Preact": f"<div id=app></div>{_IMPORTS}<script type=module>import {{h, render}} from "
        f"'preact'; render(h('main', null, h('h1', null, 'The river'), {texts}.map(t => "
        "h('p', null, t))), app)</script>",
        "Lit": f"<x-story></x-story>{_IMPORTS}<script type=module>import {{LitElement, html}} "
        "from 'lit'; customElements.define('x-story', class extends LitElement { render() { "
        f"return html`<h1>The river</h1>${{{texts}.map(t => html`<p>${{t}}</p>`)}}` }} }})"
        "</script>",
        "Alpine": "<script defer src=/npm/alpinejs/dist/cdn.min.js></script><main x-data='{all: "
        f"{texts}}}'><h1>The river</h1><template x-for='t in all'><p x-text=t></p></template>"
        "</main>",
        "Svelte": f"<div id=app></div>{_IMPORTS}<script type=module>import App from "
        "'/svelte.js'; new App({target: app})</script>",
        "Angular": "<app-root></app-root>"
        f"{_IMPORTS}<script src=/npm/zone.js/fesm2015/zone.js></script><script type=module>"
        "import '@angular/compiler'; import {Component} from '@angular/core'; import "
        "{bootstrapApplication} from '@angular/platform-browser'; bootstrapApplication(Component("
        f"{{selector: 'app-root', standalone: true, template: '<h1>The river</h1>{html}'}})"
        "(class {}))</script>",
    }
