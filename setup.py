"""The compiled scanner, optional: where no C compiler is found, document/scan.py does its work."""

from setuptools import Extension, setup

setup(
    ext_modules=[
        Extension(
            "document._scan",
            ["document/_scan.c"],
            extra_compile_args=["-O3", "-std=c11", "-Wall", "-Wextra", "-Wno-unused-parameter"],
            optional=True,
        )
    ]
)
