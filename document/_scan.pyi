def scan(
    markup: str,
    names: tuple[str, ...],
    edges: bytes,
    flags: bytes,
    separators: tuple[str, ...],
    /,
) -> tuple[str, bytes, bytes]: ...
