"""What a worker can do with a page besides transforming it; knows each task by name. No process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

from winnow.document.values import Page
from winnow.engine.annotation import markable, marked
from winnow.engine.books import book_of
from winnow.engine.comparing import compare
from winnow.engine.explaining import explain
from winnow.engine.feeds import filled, read_feed
from winnow.engine.html32 import Measure
from winnow.engine.split_page import small_part
from winnow.engine.thumbnails import shrink
from winnow.jobs.codec import WorkerTask, recipe_from
from winnow.jobs.results import packed

Result = tuple[Mapping[str, Any], bytes]
"""Fields that JSON can hold, and a body."""


def run_task(task: WorkerTask) -> Result:
    """One task done. Raises PipelineError, and KeyError for a task that there is not."""
    return _TASKS[task.name](task.page, task.options)


def _compare(page: Page, options: Mapping[str, Any]) -> Result:
    return packed(compare(page, tuple(options["methods"]))), b""


def _explain(page: Page, options: Mapping[str, Any]) -> Result:
    return packed(explain(page, recipe_from(options["recipe"]))), b""


def _markable(page: Page, options: Mapping[str, Any]) -> Result:
    return packed(markable(page, recipe_from(options["recipe"]), options["spans"])), b""


def _marked(page: Page, options: Mapping[str, Any]) -> Result:
    return packed(marked(page, {int(key): label for key, label in options["labels"].items()})), b""


def _read_feed(page: Page, _: Mapping[str, Any]) -> Result:
    return asdict(read_feed(page)), b""


def _fill_feed(page: Page, options: Mapping[str, Any]) -> Result:
    body, media_type = filled(page, options["contents"])
    return {"media_type": media_type}, body


def _small(page: Page, options: Mapping[str, Any]) -> Result:
    recipe = recipe_from(options["recipe"])
    measure = Measure(**options["measure"])
    return packed(small_part(page, recipe, measure, options["image_prefix"])), b""


def _shrink(page: Page, options: Mapping[str, Any]) -> Result:
    body, media_type = shrink(page.body, options["width"], options["largest"], webp=options["webp"])
    return {"media_type": media_type}, body


def _bind(page: Page, options: Mapping[str, Any]) -> Result:
    book = book_of(options["chapters"], options["title"], options["images"], page.body)
    return {}, book


_TASKS: Final[Mapping[str, Callable[[Page, Mapping[str, Any]], Result]]] = {
    "compare": _compare,
    "explain": _explain,
    "markable": _markable,
    "marked": _marked,
    "small": _small,
    "shrink": _shrink,
    "bind": _bind,
    "read-feed": _read_feed,
    "fill-feed": _fill_feed,
}
