"""The compiled loops, optional: where no C compiler is found, their definitions do the work.

With ``WINNOW_COMPILED=required``, as wheels are built, a part that cannot be built is an error.
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).parent))

from winnow.proxy.own.markup_contexts import python_of

OPTIONAL = os.environ.get("WINNOW_COMPILED") != "required"
SHARED = ["document/_chars.h", "document/_checks.h", "document/render/_addresses.h"]
FLAGS = ["-O3", "-ffp-contract=off", "-std=c11", "-Wall", "-Wextra", "-Wno-unused-parameter"]
COMPILED = {
    "winnow.document.parsing._scan": "document/parsing/_scan.c",
    "winnow.document.parsing._start_tags": "document/parsing/_start_tags.c",
    "winnow.document.parsing._parser_limits": "document/parsing/_parser_limits.c",
    "winnow.document.parsing._tree_writer": "document/parsing/_tree_writer.c",
    "winnow.document.parsing._unclosed_frames": "document/parsing/_unclosed_frames.c",
    "winnow.document.parsing._utf8": "document/parsing/_utf8.c",
    "winnow.document._calls": "document/_calls.c",
    "winnow.document._words": "document/_words.c",
    "winnow.document.render.article._writer": "document/render/article/_writer.c",
    "winnow.extractors.auto._fast": "extractors/auto/_fast.c",
    "winnow.extractors.auto._trees": "extractors/auto/_trees.c",
    "winnow.extractors.mss._loops": "extractors/mss/_loops.c",
    "winnow.extractors.auto.features._features": "extractors/auto/features/_features.c",
    "winnow.extractors.auto._decision": "extractors/auto/_decision.c",
    "winnow.extractors.memory._nearest": "extractors/memory/_nearest.c",
    "winnow.extractors.layout._hashing": "extractors/layout/_hashing.c",
}


class WithTemplates(build_py):
    """Each ``.html`` of an own page gets the module that Jinja2 makes of it beside it."""

    def run(self) -> None:
        super().run()
        folder = Path(self.build_lib)
        for file in () if self.editable_mode else folder.glob("winnow/**/*.html"):
            name = file.relative_to(folder).as_posix()
            compiled = python_of(file.read_text("utf-8"), name)
            file.with_name(f"{file.stem}_html.py").write_text(compiled, "utf-8")


setup(
    cmdclass={"build_py": WithTemplates},
    ext_modules=[
        Extension(name, [source], depends=SHARED, extra_compile_args=FLAGS, optional=OPTIONAL)
        for name, source in COMPILED.items()
    ],
)
