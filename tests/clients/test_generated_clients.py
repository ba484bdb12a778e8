"""Clients generated from the API's description, in Python and TypeScript, read its answers."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.programs import require_module, require_program
from tests.proxy.app.pages import ARTICLE, SENTENCE, PipelineTransform, by_purpose
from tests.proxy.origins import Origin, html, serving
from tests.proxy.proxies import proxying
from winnow.feature import described as operations_of
from winnow.feature_list import FEATURES
from winnow.proxy.own.handlers.openapi import description

DESCRIBED = operations_of(FEATURES)
pytestmark = pytest.mark.release
TYPESCRIPT = """\
import type {components} from './api.js'
declare const process: {argv: string[]}
type Article = components['schemas']['ArticleFields']
const answer = await fetch(process.argv[2])
const article = await answer.json() as Article
const words: number = article.textContent.length
console.log(JSON.stringify([article.title%s.length, words > 0, article.posts?.length ?? null]))
"""


@pytest.fixture
async def origin() -> AsyncIterator[Origin]:
    async with serving(Origin()) as found:
        yield found


@pytest.fixture
def described(tmp_path: Path) -> Path:
    file = tmp_path / "openapi.json"
    file.write_text(json.dumps(description(DESCRIBED)))
    return file


async def run(*command: str | Path, folder: Path) -> tuple[int, str]:
    """Exit code and output of a program."""
    process = await asyncio.create_subprocess_exec(
        *map(str, command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder
    )
    async with asyncio.timeout(200):
        output, _ = await process.communicate()
    return process.returncode or 0, output.decode()


async def test_a_client_in_python(described: Path, origin: Origin) -> None:
    require_module("uv", "make test")
    folder, made = described.parent, described.with_name("api.py")
    generator = (sys.executable, "-m", "uv", "tool", "run", "-q")
    package = ("--from", "datamodel-code-generator==0.26.3", "datamodel-codegen")
    options = ("--input", described, "--input-file-type", "openapi", "--output", made)
    kinds = ("--output-model-type", "typing.TypedDict", "--target-python-version", "3.11")
    code, said = await run(*generator, *package, *options, *kinds, folder=folder)
    assert code == 0, said
    spec = importlib.util.spec_from_file_location("api", made)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["api"] = module
    spec.loader.exec_module(module)
    origin.replies["/a"] = html(ARTICLE)
    async with proxying(PipelineTransform(), by_purpose) as proxy:
        address = f"http://127.0.0.1:{proxy.port}/-/api/extract?url={origin.url('/a')}"
        _, answer = await run("curl", "-sS", address, folder=folder)
    article: dict[str, Any] = msgspec.json.decode(answer, type=module.ArticleFields)
    assert SENTENCE in article["textContent"]
    with pytest.raises(msgspec.ValidationError, match="title"):
        msgspec.json.decode(answer.replace('"title"', '"titel"', 1), type=module.ArticleFields)


async def test_a_client_in_typescript(described: Path, origin: Origin) -> None:
    npx, node = require_program("npm").with_name("npx"), require_program("node")
    folder = described.parent
    (folder / "package.json").write_text('{"type": "module"}')
    made = (npx, "-y", "openapi-typescript@7.4.4", described, "-o", "api.d.ts")
    code, said = await run(*made, folder=folder)
    assert code == 0, said
    tools = ("-y", "-p", "typescript@5.6.3", "tsc")
    options = ("--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom")
    (folder / "wrong.ts").write_text(TYPESCRIPT % "")
    code, said = await run(npx, *tools, *options, "--noEmit", "wrong.ts", folder=folder)
    assert "'article.title' is possibly 'null'" in said
    (folder / "get.ts").write_text(TYPESCRIPT % "?")
    code, said = await run(npx, *tools, *options, "get.ts", folder=folder)
    origin.replies["/a"] = html(ARTICLE)
    async with proxying(PipelineTransform(), by_purpose) as proxy:
        address = f"http://127.0.0.1:{proxy.port}/-/api/extract?url={origin.url('/a')}"
        code, shown = await run(node, "get.js", address, folder=folder)
    assert (code, shown) == (0, f"[{len('The flood')},true,null]\n"), said
