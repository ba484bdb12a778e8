"""The jobs of a worker: what each is asked, and the function that does it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from winnow.document.values import Recipe, Rendered
from winnow.jobs.job_types import Job, PageJob
from winnow.jobs.rendering_key import ExtractorIdentity
from winnow.jobs.results import MethodParameter


class TransformJob(PageJob[Rendered], frozen=True):
    """The page as a recipe has it."""

    done_by: ClassVar[str] = "winnow.engine.pipeline:transform"
    recipe: Recipe


class IdentifyJob(Job[ExtractorIdentity], frozen=True):
    """The identity of a recipe's method."""

    done_by: ClassVar[str] = "winnow.engine.named_extractor:identify"
    recipe: Recipe


class ParametersJob(Job[tuple[MethodParameter, ...]], frozen=True):
    """The parameters that methods declare."""

    done_by: ClassVar[str] = "winnow.engine.method_parameters:parameters_of"
    methods: tuple[str, ...]


class SheetsJob(PageJob[tuple[str, ...]], frozen=True):
    """The addresses of the page's style sheets."""

    done_by: ClassVar[str] = "winnow.document.render.style_sheets:sheets_of_page"


class ImportsJob(Job[tuple[str, ...]], frozen=True):
    """The addresses of the style sheets that those by address import."""

    done_by: ClassVar[str] = "winnow.document.render.style_sheets:imports_of"
    sheets: Mapping[str, str]


class ShrinkJob(Job[tuple[bytes, str]], frozen=True):
    """The image within ``width`` pixels and ``largest`` bytes as JPEG, WEBP or GIF (``kind``), and
    its media type."""

    done_by: ClassVar[str] = "winnow.engine.small.thumbnails:shrink"
    body: bytes
    width: int
    largest: int
    kind: str = "JPEG"
