def excess(
    utf8: bytes,
    names: tuple[str, ...],
    flags: bytes,
    depth: int,
    attributes: int,
    reopened: int,
    options: int,
    reach: int,
    /,
) -> int: ...
