"""The one error tree of this package: whose fault it was that a page could not be read or shown."""


class DocumentError(Exception):
    """Something about a document went wrong."""


class UnknownEncodingError(DocumentError):
    """A caller named an encoding that no label of the WHATWG Encoding standard names."""


class AmbiguousMarkupError(DocumentError):
    """A tree was written out in a way that can be read as another tree."""


class TooComplexError(DocumentError):
    """A page would cost the parser far more than its size; the message says why."""


class UnsupportedFormatError(DocumentError):
    """The requested format has no renderer."""


class SelectorError(DocumentError):
    """A caller wrote a selector that is none, or more than is understood here."""
