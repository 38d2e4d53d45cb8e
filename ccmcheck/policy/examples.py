"""Files that show how a cloud.conf looks and that no cluster uses: their placeholders are meant to be there.

Sources: names of files that users copy and fill in (GNU and Debian packages' ``.example``, ``.sample`` and ``.dist``);
``testdata``, which the go command ignores (``go help packages``), and ``golden`` files of tests.
"""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex

_EXAMPLE = lazy_regex(
    r"(?:\A|[/\\])(?:testdata|test-data|goldens?)[/\\]"
    r"|(?:\A|[/\\._-])(?:example|sample|dist|golden)(?:\.[A-Za-z0-9]+)*\Z"
    r"|\.(?:example|sample|dist|golden)\.[^/\\]*\Z"
)


def is_example(path: str) -> bool:
    """Whether a file is an example, belongs to tests or is a document: ``cloud.conf.example``, ``README.md``."""
    if _EXAMPLE.search(path) is not None:
        return True
    from ccmcheck.carriers.embedded.languages import is_document  # explaining a rule reads no file

    return is_document(path)
