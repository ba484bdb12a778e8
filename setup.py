"""The compiled loops, optional: where no C compiler is found, their definitions do the work."""

from setuptools import Extension, setup

SHARED = ["document/_chars.h", "document/_checks.h"]
FLAGS = ["-O3", "-ffp-contract=off", "-std=c11", "-Wall", "-Wextra", "-Wno-unused-parameter"]
COMPILED = {
    "document._scan": "document/_scan.c",
    "document._openings": "document/_openings.c",
    "document._nesting": "document/_nesting.c",
    "document._utf8": "document/_utf8.c",
    "document._words": "document/_words.c",
    "document.render._writer": "document/render/_writer.c",
    "extractors.auto._fast": "extractors/auto/_fast.c",
    "extractors.mss._loops": "extractors/mss/_loops.c",
    "extractors.auto._features": "extractors/auto/_features.c",
    "extractors.memory._nearest": "extractors/memory/_nearest.c",
    "extractors.layout._hashing": "extractors/layout/_hashing.c",
}

setup(
    ext_modules=[
        Extension(name, [source], depends=SHARED, extra_compile_args=FLAGS, optional=True)
        for name, source in COMPILED.items()
    ]
)
