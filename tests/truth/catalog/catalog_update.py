"""Brings a release of the CCM into the catalogue; `make catalog` runs it.

``python tests/truth/catalog/catalog_update.py v1.36.0`` reads that tag's source from the Go module proxy, or with
``--source DIR`` a checkout, or with ``--extracted FILE`` what the extractor printed elsewhere. It writes the facts in
tests/truth/catalog/catalog_facts, the data modules that are generated from them, the outputs in the README and the guides, and, of the
newest release, what was extracted, for tests. It prints what changed and what a person has to look at. A known release leaves all of them as they are, unless they were wrong.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import catalog_source
from catalog_facts import generate, inputs
from catalog_facts.extract import Extract
from catalog_facts.merge import MergeReport, merge
from reader_build import CannotBuildError, NotAvailableError

ROOT = catalog_source.HERE.parents[2]
BY_HAND = """\
Nobody but a person can say of a new release
  whether the CCM behaves as before: ccmcheck/catalog/data/behaviour.tsv takes every behaviour to go on
  whether a new key holds a secret, what it means and what an upgrade changes: `SECRET_KEYS` of ccmcheck/catalog/schemas.py,
    data/key_effects.tsv, data/upgrade_keys.tsv; what else is known of it: notes.json beside the other facts
  which words a key accepts: data/allowed_values.py"""


def source_of(asked: argparse.Namespace) -> Extract:
    """What was extracted from what the options name."""
    if asked.extracted is not None:
        found: Extract = json.loads(asked.extracted.read_text(encoding="utf-8"))
        return found
    return catalog_source.extracted(asked.source or catalog_source.downloaded(asked.release))


def show(report: MergeReport, release: str, *, is_new: bool) -> None:
    """Print what changed and what is open."""
    print(
        f"{release}: {len(report.changes)} changes" if report.changes else f"{release}: the facts agree with the source"
    )
    for change in report.changes:
        print(f"  {change}")
    if report.undecided:
        print("Not decided:")
    for question in report.undecided:
        print(f"  {question}")
    if is_new:
        print(BY_HAND)


def main() -> int:
    """Bring one release in; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", metavar="RELEASE", help="a tag, such as v1.36.0; of a checkout also a branch, 1.36")
    parser.add_argument("--source", type=Path, metavar="DIR", help="a checkout of the release")
    parser.add_argument("--extracted", type=Path, metavar="FILE", help="the extractor's output")
    parser.add_argument("--no-documents", action="store_true", help="leave the outputs in the README as they are")
    asked = parser.parse_args()
    facts = inputs.read()
    is_known = asked.release in {point.name for point in inputs.timeline(facts["releases"]).points}
    try:
        extract = source_of(asked)
    except NotAvailableError as reason:
        print(f"The source of {asked.release} is not available here: {str(reason).splitlines()[-1]}")
        print("Name a checkout of it with SOURCE=DIR." + (" The committed facts stay as they are." if is_known else ""))
        return 0 if is_known else 1
    except CannotBuildError as reason:
        print(f"The extractor failed: {reason}")
        return 1
    before = json.dumps(facts)
    try:
        report = merge(facts, extract, asked.release)
    except ValueError as reason:
        print(reason)
        return 1
    show(report, asked.release, is_new=not is_known)
    if json.dumps(facts) == before:
        return 0
    inputs.write(facts)
    generate.write(facts)
    if asked.release == max(point for point in inputs.timeline(facts["releases"]).points if not point.is_tip).name:
        catalog_source.record(extract, asked.release)
    if asked.no_documents:
        return 0
    return subprocess.run(
        [sys.executable, str(ROOT / "tests/project/readme_outputs.py")], cwd=ROOT, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
