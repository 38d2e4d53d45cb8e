"""Files that show how a cloud.conf looks and that no cluster uses: their placeholders are meant to be there.

Sources: names of files that users copy and fill in (GNU and Debian packages' ``.example``, ``.sample`` and ``.dist``);
``testdata``, which the go command ignores (``go help packages``), ``fixtures`` and ``golden`` files of tests, and
snapshots of Jest and helm-unittest (``__snapshot__/*.snap``).
"""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex

ADVICE = frozenset(
    {
        "auth-password",
        "auth-url-form",
        "capi-crs-apply-once",
        "ccm-image-skew",
        "cluster-name-default",
        "create-monitor-implicit",
        "create-monitor-recommended",
        "tls-insecure-on",
    }
)
"""Rules whose warnings and information are about a cluster that lasts; nobody follows them for the data of a test."""

_DATA_FOLDERS = r"testdata|test-data|tests?[/\\]data|fixtures|goldens?|__snapshots?__"
_DATA_ENDING = r"\.(?:golden|snap)(?:\.[A-Za-z0-9]+)?\Z"
_TEST = lazy_regex(rf"(?:\A|[/\\])(?:{_DATA_FOLDERS}|tests|e2e)[/\\]|{_DATA_ENDING}")
"""``test`` alone is left out: many repositories have clusters called dev, test and prod."""
_TEST_DATA = lazy_regex(rf"(?:\A|[/\\])(?:{_DATA_FOLDERS})[/\\]|{_DATA_ENDING}")
_EXAMPLE = lazy_regex(
    rf"(?:\A|[/\\])(?:{_DATA_FOLDERS})[/\\]"
    r"|(?:\A|[/\\._-])(?:example|sample|dist|golden)(?:\.[A-Za-z0-9]+)*\Z"
    r"|[._-](?:examples|samples)(?:\.[A-Za-z0-9]+)*\Z|\.(?:example|sample|dist|golden)\.[^/\\]*\Z|(?:\A|[/\\])template\Z"
)


def is_example(path: str) -> bool:
    """Whether a file is an example, data of a test or a document: ``cloud.conf.example``, ``README.md``."""
    return _EXAMPLE.search(path) is not None or is_page(path)


def is_page(path: str) -> bool:
    """Whether a file is a document, which shows its readers what they write themselves."""
    from ccmcheck.carriers.embedded.languages import is_document  # explaining a rule reads no file

    return is_document(path)


def is_test_data(path: str) -> bool:
    """Whether a file is what a test reads or compares with, so that nothing around it is about it."""
    return _TEST_DATA.search(path) is not None


def is_test(path: str) -> bool:
    """Whether a file belongs to tests: their data, or a snapshot of what something makes."""
    return _TEST.search(path) is not None
