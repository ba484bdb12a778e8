"""Fields of multipart forms as browsers write them (RFC 7578; HTML, 4.10.21.8)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.proxy.http.form_data import MOST_PARTS, form_data
from winnow.proxy.http.proxy_errors import ClientFaultError

BOUNDARY = "----WebKitFormBoundary7MA4YWxkTrZu0gW"
KIND = f"multipart/form-data; boundary={BOUNDARY}"


def written(fields: dict[str, str]) -> bytes:
    """A form as browsers write it."""
    parts = "".join(
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
        f"{text.replace(chr(13) + chr(10), chr(10)).replace(chr(10), chr(13) + chr(10))}\r\n"
        for name, text in fields.items()
    )
    return f"{parts}--{BOUNDARY}--\r\n".encode()


@given(
    st.dictionaries(
        st.sampled_from("abc"),
        st.text(st.characters(exclude_characters="\r\0", exclude_categories=["Cs"])),
    )
)
def test_what_was_written_is_read(fields: dict[str, str]) -> None:
    assert form_data(written(fields), KIND) == fields


@given(st.binary(max_size=200))
def test_any_bytes_are_a_form_without_fields_at_worst(body: bytes) -> None:
    once = form_data(body, KIND)
    assert form_data(written(once), KIND) == once


def test_there_are_few_parts() -> None:
    part = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="%d"\r\n\r\nx\r\n'
    body = "".join(part % number for number in range(1000)).encode()
    assert len(form_data(body, KIND)) == MOST_PARTS


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "multipart/form-data", f"multipart/form-data; boundary={'x' * 71}"]
)
def test_no_other_media_type_is_a_form(kind: str) -> None:
    with pytest.raises(ClientFaultError):
        form_data(written({"a": "b"}), kind)
