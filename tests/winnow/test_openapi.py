"""The OpenAPI description is well formed, and the running server answers as it says."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from urllib.parse import quote

import pytest
from jsonschema import validate
from jsonschema.validators import Draft202012Validator

from tests.proxy.origins import Answer, Origin, ask, html, serving
from tests.winnow.test_whole_path import ARTICLE, settings
from winnow.compose.running import Running, running
from winnow.config.settings import Settings
from winnow.feature import described
from winnow.feature_list import FEATURES
from winnow.proxy.access.own_addresses import HEALTHZ
from winnow.proxy.own.handlers.openapi import description, paths_of

FEED = (
    b'<?xml version="1.0"?><rss version="2.0"><channel><title>F</title><link>http://a.example/'
    b"</link><description>d</description></channel></rss>"
)
DESCRIBED = described(FEATURES)
PATHS = paths_of(DESCRIBED)
OPERATIONS = [(path, method) for path, item in PATHS.items() for method in item]
VALUES = {
    **{"extractor": "bte", "level": "3", "method": "bte", "title": "A book"},
    **{"selector": "p", "details": "blocks", "since": "saved"},
}
PARTS = {"max_tokens": "9", "offset": ""}
"""Of text alone."""


@pytest.fixture
async def server() -> AsyncIterator[tuple[Running, Origin]]:
    async with serving(Origin()) as origin, running(opening()) as proxy:
        origin.replies["/page"] = html(ARTICLE)
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nContent-Length: %d\r\n\r\n"
        origin.replies["/feed"] = head % len(FEED) + FEED
        yield proxy, origin


def opening() -> Settings:
    """A file that opens a host makes the certificate, as the consent on /-/setup does."""
    plain = settings()
    return replace(plain, interception=replace(plain.interception, hosts=("opened.example",)))


async def answer_of(
    server: tuple[Running, Origin], path: str, method: str, /, **query: str
) -> Answer:
    proxy, origin = server
    names = {each["name"] for each in PATHS[path][method].get("parameters", ())}
    if "url" in names:
        query.setdefault("url", origin.url("/feed" if path == "/-/feed" else "/page"))
    words = "&".join(f"{name}={quote(value, safe='')}" for name, value in query.items())
    target = f"{path}?{words}" if words else path
    host = f"Host: 127.0.0.1:{proxy.port}"
    if method == "get":
        answer = await ask(proxy.port, f"GET {target} HTTP/1.1\r\n{host}\r\n\r\n".encode())
        while answer.status == 302:  # the gateway's own address
            there = answer.field("location")
            answer = await ask(proxy.port, f"GET {there} HTTP/1.1\r\n{host}\r\n\r\n".encode())
        return answer
    fields = f"{host}\r\nContent-Type: text/html\r\nContent-Length: {len(ARTICLE)}"
    return await ask(proxy.port, f"POST {target} HTTP/1.1\r\n{fields}\r\n\r\n".encode() + ARTICLE)


def media_type(answer: Answer) -> str:
    return answer.field("content-type").partition(";")[0]


def test_it_is_openapi() -> None:
    document = json.loads(json.dumps(description(DESCRIBED)))
    assert document["openapi"].startswith("3.1.")
    assert set(document) <= {"openapi", "info", "paths", "components"}
    for path, item in document["paths"].items():
        assert path.startswith("/-/") or path == HEALTHZ
        for operation in item.values():
            assert {"summary", "responses"} <= set(operation)
            for each in operation.get("parameters", ()):
                assert set(each) == {"name", "in", "required", "schema", "description"}
                Draft202012Validator.check_schema(each["schema"])
            for response in operation["responses"].values():
                assert response["description"]
                for kind in response["content"].values():
                    Draft202012Validator.check_schema(kind["schema"])


async def test_the_server_answers_as_described(server: tuple[Running, Origin]) -> None:
    for path, method in OPERATIONS:
        content = PATHS[path][method]["responses"]["200"]["content"]
        answer = await answer_of(server, path, method)
        assert (answer.status, media_type(answer) in content) == (200, True), path
        if media_type(answer) == "application/json":
            schemas = {"components": description(DESCRIBED)["components"]}
            validate(json.loads(answer.body), content["application/json"]["schema"] | schemas)


@pytest.mark.parametrize("form", ["json", "spans"])
async def test_an_answer_has_the_fields_of_its_schema_and_no_others(
    server: tuple[Running, Origin], form: str
) -> None:
    answer = await answer_of(server, "/-/api/extract", "get", format=form)
    name = {"json": "ArticleFields", "spans": "SpanFields"}[form]
    schema = description(DESCRIBED)["components"]["schemas"][name]
    assert set(json.loads(answer.body)) == set(schema["properties"]) == set(schema["required"])


def cases() -> list[tuple[str, str, str, str]]:
    """Every value of every parameter."""
    found = []
    for path, method in OPERATIONS:
        for each in PATHS[path][method].get("parameters", ()):
            if each["name"] != "url":
                known = VALUES | PARTS
                values = each["schema"].get("enum") or [known[each["name"]]]
                found += [(path, method, each["name"], str(value)) for value in values]
    return found


async def test_every_described_value_is_accepted(server: tuple[Running, Origin]) -> None:
    for path, method, name, value in cases():
        form = {"format": "text"} if name in PARTS else {}
        answer = await answer_of(server, path, method, **form, **{name: value})
        content = PATHS[path][method]["responses"]["200"]["content"]
        if name == "since":  # nothing is saved here
            assert (answer.status, json.loads(answer.body)["type"]) == (404, "not-saved")
            continue
        assert (answer.status, media_type(answer) in content) == (200, True), (path, name, value)


async def test_an_error_is_a_problem_as_described(server: tuple[Running, Origin]) -> None:
    for path in ("/-/api/extract", "/-/read", "/-/why"):
        answer = await answer_of(server, path, "get", extractor="???")
        problem = PATHS[path]["get"]["responses"]["default"]["content"]
        assert answer.status == 400
        told = json.loads(answer.body) if "json" in media_type(answer) else answer.body.decode()
        validate(told, problem[media_type(answer)]["schema"])


async def test_the_server_serves_it(server: tuple[Running, Origin]) -> None:
    answer = await answer_of(server, "/-/openapi.json", "get")
    assert json.loads(answer.body) == json.loads(json.dumps(description(DESCRIBED)))
