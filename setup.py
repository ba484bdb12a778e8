"""The compiled loops, optional: where no C compiler is found, their definitions do the work.

With ``WINNOW_COMPILED=required``, as wheels are built, a part that cannot be built is an error.
"""

import os

from setuptools import Extension, setup

OPTIONAL = os.environ.get("WINNOW_COMPILED") != "required"
SHARED = ["document/_chars.h", "document/_checks.h", "document/render/_addresses.h"]
FLAGS = ["-O3", "-ffp-contract=off", "-std=c11", "-Wall", "-Wextra", "-Wno-unused-parameter"]
COMPILED = {
    "winnow.document._scan": "document/_scan.c",
    "winnow.document._start_tags": "document/_start_tags.c",
    "winnow.document._parser_limits": "document/_parser_limits.c",
    "winnow.document._tree_writer": "document/_tree_writer.c",
    "winnow.document._unclosed_frames": "document/_unclosed_frames.c",
    "winnow.document._utf8": "document/_utf8.c",
    "winnow.document._words": "document/_words.c",
    "winnow.document.render._writer": "document/render/_writer.c",
    "winnow.extractors.auto._fast": "extractors/auto/_fast.c",
    "winnow.extractors.auto._trees": "extractors/auto/_trees.c",
    "winnow.extractors.mss._loops": "extractors/mss/_loops.c",
    "winnow.extractors.auto._features": "extractors/auto/_features.c",
    "winnow.extractors.auto._decision": "extractors/auto/_decision.c",
    "winnow.extractors.memory._nearest": "extractors/memory/_nearest.c",
    "winnow.extractors.layout._hashing": "extractors/layout/_hashing.c",
}

setup(
    ext_modules=[
        Extension(name, [source], depends=SHARED, extra_compile_args=FLAGS, optional=OPTIONAL)
        for name, source in COMPILED.items()
    ]
)
