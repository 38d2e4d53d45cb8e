"""Compares the committed facts with the source of every release that the Go module proxy gives out.

The last line is ``N passed, M failed``; exit code 77 means that no source is available, and the last line says why.
"""

from __future__ import annotations

import argparse
import copy
import sys

import catalog_source
from catalog_facts import inputs
from catalog_facts.merge import merge
from reader_build import NotAvailableError

SKIPPED = 77
SAMPLE = ("v1.17.0", "v1.20.0", "v1.28.1", "v1.36.0")


def main() -> int:
    """Compare; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", action="store_true", help="a small part, for continuous integration")
    parser.add_argument("--seed", type=int, help="not used: nothing here depends on chance")
    parser.add_argument(
        "--record", metavar="TAG", help="write what is extracted from the newest tag into recorded/, for tests"
    )
    asked = parser.parse_args()
    if asked.record:
        catalog_source.record(catalog_source.extracted(catalog_source.downloaded(asked.record)), asked.record)
        return 0
    facts = inputs.read()
    tags = [point.name for point in inputs.timeline(facts["releases"]).points if not point.is_tip]
    passed = failed = 0
    refused: dict[str, str] = {}
    for tag in SAMPLE if asked.sample else tags:
        try:
            extract = catalog_source.extracted(catalog_source.downloaded(tag))
        except NotAvailableError as reason:
            refused[tag] = str(reason).splitlines()[-1]
            continue
        merged = copy.deepcopy(facts)
        report = merge(merged, extract, tag)
        for change in report.changes:
            print(f"{tag}: {change}")
        passed, failed = (passed + 1, failed) if merged == facts and not report.changes else (passed, failed + 1)
    if refused:
        print(f"not available: {', '.join(refused)}")
    if not passed and not failed:
        print(f"no source is available: {next(iter(refused.values()))}")
        return SKIPPED
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
