"""The base class of methods whose scores come from a trained model, shipped or in a folder."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from winnow.extractors.base import Method


class TrainedModel(Protocol):
    """A loaded model: its digest, and its manifest, whose ``packages`` it was trained on."""

    @property
    def digest(self) -> str: ...

    @property
    def manifest(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True)
class TrainedMethod(Method):
    """A method with a model; ``model``: a folder made by `winnow train`, empty: the shipped one."""

    model: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        """Raises ValueError as Method does, ModelError for a model that cannot be loaded."""
        super().__post_init__()
        self.trained()

    @abstractmethod
    def trained(self) -> TrainedModel:
        """The model in use; loaded once. Raises ModelError."""

    @property
    def fingerprint(self) -> str:
        """As for every method, and the digest of the model."""
        return f"{super().fingerprint}+{self.trained().digest}"

    @property
    def training_packages(self) -> Mapping[str, float | None]:
        """From the model's manifest."""
        packages = self.trained().manifest.get("packages", ())
        return {str(package["name"]): None for package in packages}
