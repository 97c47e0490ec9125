"""The exceptions of librobots.

The native part raises them. Each message says what failed and what to do.
"""


class RobotsError(Exception):
    """The base of all exceptions of librobots.

    They are ArgumentError, TokenError, UrlError, SchemeError, ImageError, ImageFormatError, StateError, OutOfMemoryError and
    InternalError; of clients ForbiddenError and DeferError.
    """


class ArgumentError(RobotsError, ValueError):
    """An argument is out of range or unknown."""


class TokenError(RobotsError, ValueError):
    """The text is not a product token: pass ``ExampleBot``, not the whole User-Agent header."""


class UrlError(RobotsError, ValueError):
    """The text is neither an absolute URL nor a path that starts with ``/``."""


class SchemeError(UrlError):
    """The scheme of the URL is not http, https or ftp."""


class ImageError(RobotsError, ValueError):
    """The image or record is damaged: parse the robots.txt again."""


class ImageFormatError(ImageError):
    """The image or record has another format version or byte order, or it is for other crawlers."""


class StateError(RobotsError, RuntimeError):
    """The call does not fit the state of the object, such as an event that a fetch does not expect."""


class OutOfMemoryError(RobotsError, MemoryError):
    """An allocation failed, or a site does not fit into the cache."""


class InternalError(RobotsError, RuntimeError):
    """A defect of librobots: please report it."""
