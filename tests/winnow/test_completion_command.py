"""``winnow completion`` prints scripts that complete commands, formats and file names."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.programs import require_program
from winnow.cli import COMMANDS, main
from winnow.commands.completion import SHELLS, script

TRY = """
source {script}
COMP_WORDS=({words}) COMP_CWORD={last} COMP_LINE="{words}" COMP_POINT=${{#COMP_LINE}}
_shtab_winnow
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def completed(folder: Path, *words: str) -> list[str]:
    """What bash offers for the last of these words."""
    file = folder / "winnow.bash"
    file.write_text(script("bash"))
    line = TRY.format(script=file, words=" ".join(words), last=len(words) - 1)
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, check=True, cwd=folder, timeout=60
    )
    return done.stdout.split()


def shell_errors(folder: Path, shell: str, check: str, text: str) -> bytes:
    """What a shell says against a script that it only parses."""
    file = folder / "script"
    file.write_text(text)
    command = [str(require_program(shell)), check, str(file)]
    return subprocess.run(command, check=False, capture_output=True, timeout=60).stderr


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_is_in_the_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in COMMANDS)
    assert "markdown" in out


@pytest.mark.parametrize(
    ("shell", "check"), [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")]
)
def test_the_shell_accepts_the_script(shell: str, check: str, tmp_path: Path) -> None:
    assert shell_errors(tmp_path, shell, check, script(shell)) == b""
    assert shell_errors(tmp_path, shell, check, "echo )") != b""


def test_bash_completes_commands_options_and_formats(tmp_path: Path) -> None:
    assert completed(tmp_path, "winnow", "ext") == ["extract", "extractors"]
    assert completed(tmp_path, "winnow", "extract", "--form") == ["--format"]
    assert completed(tmp_path, "winnow", "extract", "--format", "mark") == ["markdown"]


def test_bash_completes_file_names(tmp_path: Path) -> None:
    (tmp_path / "page.html").touch()
    for command in ("extract", "learn", "train mss", "label"):
        assert "page.html" in completed(tmp_path, "winnow", *command.split(), "pa")
