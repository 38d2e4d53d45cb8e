"""Base64 as Kubernetes and cloud-init have it, with and without gzip."""

from __future__ import annotations

import base64
import gzip
import time
import zlib

import pytest

from ccmcheck.base.errors import TooLarge
from ccmcheck.base.model import Edit, Span
from ccmcheck.layers.encoded import UNPACKED_LIMIT, base64_layer, decode_base64, gzip_base64_layer

CONF = "[Global]\na=1\n"
ENCODED = "W0dsb2JhbF0KYT0xCg=="


@pytest.mark.parametrize(
    ("text", "padded", "blank"),
    [
        (ENCODED, True, False),
        (ENCODED + "\n", True, False),
        ("W0dsb2JhbF0K\nYT0xCg==\n", True, False),
        ("W0dsb2JhbF0K\r\nYT0xCg==\r\n", True, False),
        ("W0dsb2JhbF0K YT0xCg==", True, True),
        (" \t" + ENCODED + " ", True, False),
        (ENCODED.rstrip("="), False, False),
    ],
)
def test_tolerated_faults_are_recorded(text: str, padded: bool, blank: bool) -> None:
    layer = base64_layer(text)
    assert layer is not None
    assert (layer.text, layer.padded, layer.blank, layer.exact) == (CONF, padded, blank, False)


@pytest.mark.parametrize(
    "text",
    ["[Global]", "W0ds-_==", "W0d=b2Jh", "W", "W0dsb", "WW=", "W===", "=", "====", "${CLOUD_CONF_B64}", "é", "W0ds\0"],
)
def test_what_is_not_base64(text: str) -> None:
    assert decode_base64(text) is None
    assert base64_layer(text) is None
    assert gzip_base64_layer(text) is None


def test_the_empty_text() -> None:
    layer = base64_layer("")
    assert layer is not None
    assert layer.text == ""
    assert layer.outward(Span(0, 0)) == (0, 0)
    assert layer.put([Edit(0, 0, CONF)]) == [Edit(0, 0, ENCODED)]


def test_bytes_that_are_not_utf8_are_kept() -> None:
    layer = base64_layer(base64.b64encode(b"a\xff\n").decode())
    assert layer is not None
    assert layer.text == "a\udcff\n"
    assert layer.put([Edit(0, 1, "b")]) == [Edit(0, 4, base64.b64encode(b"b\xff\n").decode())]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ENCODED, "W0dsb2JhbF0KYT0yCg=="),
        (ENCODED + "\n", "W0dsb2JhbF0KYT0yCg==\n"),
        ("W0dsb2JhbF0K\nYT0xCg==\n", "W0dsb2JhbF0K\nYT0yCg==\n"),
        ("W0dsb2Jh\r\nbF0KYT0x\r\nCg==", "W0dsb2Jh\r\nbF0KYT0y\r\nCg=="),
        (ENCODED.rstrip("="), "W0dsb2JhbF0KYT0yCg=="),
    ],
)
def test_line_width_and_line_ends_stay(text: str, expected: str) -> None:
    layer = base64_layer(text)
    assert layer is not None
    at = CONF.index("1")
    (edit,) = layer.put([Edit(at, at + 1, "2")])
    assert text[: edit.start] + edit.text + text[edit.end :] == expected
    assert layer.outward(Span(at, at + 1)) == (edit.start, edit.end)


def packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


def test_gzip() -> None:
    layer = gzip_base64_layer(packed(CONF.encode()))
    assert layer is not None
    assert (layer.text, layer.kind) == (CONF, "gzip+base64")
    (edit,) = layer.put([Edit(0, 0, "# é\n")])
    assert layer.put([Edit(0, 0, "# é\n")]) == [edit]
    again = gzip_base64_layer(edit.text)
    assert again is not None
    assert again.text == "# é\n" + CONF


def test_gzip_in_several_members() -> None:
    data = gzip.compress(b"[Glo", mtime=0) + gzip.compress(b"bal]\n", mtime=0)
    layer = gzip_base64_layer(base64.b64encode(data).decode())
    assert layer is not None
    assert layer.text == "[Global]\n"


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(b"x" * 99, mtime=0)[:-1],
        gzip.compress(b"x", mtime=0) + b"rest",
        b"\x1f\x8b",
        b"\x1f\x8bxxxxxxxxxx",
        zlib.compress(b"x"),
        b"",
    ],
)
def test_what_is_not_gzip(data: bytes) -> None:
    assert gzip_base64_layer(base64.b64encode(data).decode()) is None


def test_a_gzip_bomb_is_refused_at_the_limit() -> None:
    limit = 1_000
    assert gzip_base64_layer(packed(b"x" * limit), limit) is not None
    for bomb in (packed(b"x" * (limit + 1)), base64.b64encode(gzip.compress(b"x" * 600, mtime=0) * 2).decode()):
        with pytest.raises(TooLarge, match="1000 bytes"):
            gzip_base64_layer(bomb, limit)
    with pytest.raises(TooLarge, match=str(UNPACKED_LIMIT)):
        gzip_base64_layer(packed(bytes(UNPACKED_LIMIT + 1)))


def test_a_gzip_of_very_many_members_is_read_once() -> None:
    data = gzip.compress(b"", mtime=0) * 200_000 + gzip.compress(b"[Global]\n", mtime=0)
    encoded = base64.b64encode(data).decode()
    started = time.process_time()
    layer = gzip_base64_layer(encoded)
    assert layer is not None
    assert layer.text == "[Global]\n"
    assert time.process_time() - started < 3  # 0.3 s; with a copy of the rest for each member it takes 10 s
