"""The one error tree of this package: why an extractor could not be made."""


class ExtractorError(Exception):
    """Something about an extractor went wrong."""


class UnknownExtractorError(ExtractorError):
    """No extractor has that name; the message names the nearest."""


class ParameterError(ExtractorError):
    """The extractor has no such parameter, or the value does not suit it."""


class ModelError(ExtractorError):
    """A trained model is missing, or of a version that cannot be read."""


class LayoutError(ExtractorError):
    """The browser could not lay this page out: too slow, too large."""


class NoBrowserError(LayoutError):
    """No browser can be started here; the message says what to install."""
