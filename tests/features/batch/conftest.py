"""The page that tests of the command line read, too."""

from tests.winnow.conftest import page

__all__ = ["page"]
