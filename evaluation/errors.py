"""What can go wrong while measuring, and whose fault it was; knows no cause beyond that."""


class EvaluationError(Exception):
    """Root of this package's errors; the message is one sentence that names what to change."""


class PackageError(EvaluationError):
    """The test package is at fault: missing, incomplete or unreadable. ``url``: the page's."""

    def __init__(self, message: str, url: str | None = None) -> None:
        super().__init__(message)
        self.url = url


class SubjectError(EvaluationError):
    """The system under test is at fault: it could not be started, died, or gave no answer."""


class RulesError(EvaluationError):
    """A file of labelling rules cannot be used; the message names what to change."""
