"""Every indented command of the documents is typed, at a local origin, and ends well."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs import typed_world
from tests.docs.typed_commands import DOCUMENTS, EXCEPTIONS, Block, blocks, exception, is_data
from tests.programs import require_program

BLOCKS = [block for document in DOCUMENTS for block in blocks(document)]
TYPED = [block for block in BLOCKS if block.commands]
QUICK = {"api.md", "crunch.md"}
"""Typed within seconds; the commands of the other documents, README too, are for ``release``."""


def case(block: Block) -> object:
    marks = [] if block.document.name in QUICK else [pytest.mark.release]
    return pytest.param(block, id=str(block), marks=marks)


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The addresses of an origin and of a Winnow."""
    folder = tmp_path_factory.mktemp("winnow")
    with typed_world.origin() as site, typed_world.winnow(folder) as proxy:
        yield site, proxy


@pytest.mark.parametrize("block", [case(block) for block in TYPED])
@pytest.mark.timeout(1800)
def test_commands_end_well(block: Block, places: tuple[str, str], tmp_path: Path) -> None:
    world = typed_world.world(typed_world.make_folder(tmp_path / "typed"), *places)
    commands = [command for command in block.commands if exception(command)[0] != "elsewhere"]
    if any("benchmarks.traffic" in command for command in commands):
        require_program("nginx")
        require_program("wrk")
    typed_world.typed(world, commands, seconds=900)


def test_every_other_indented_block_is_data() -> None:
    assert [str(b) for b in BLOCKS if not b.commands and not is_data(b.text)] == []


def test_every_exception_is_of_a_command() -> None:
    typed = [command for block in TYPED for command in block.commands]
    begins = [start for starts in EXCEPTIONS.values() for start in starts]
    assert [start for start in begins if not any(c.startswith(start) for c in typed)] == []
