"""What is said where nothing is found, and what fails where too little is."""

from __future__ import annotations

from ccmcheck.base.errors import WrongUse
from ccmcheck.cli import console


def nothing_found(files: int, left_out: int) -> None:
    """Say that there is nothing that any rule is about.

    Args:
        files: How many files were looked at.
        left_out: How many more are left out as examples or test data.
    """
    where = "1 file" if files == 1 else f"{files:,} files"
    if left_out:
        where += f", {left_out:,} more left out as examples or test data (default-exclude),"
    console.warn(
        f"nothing to check: no cloud.conf and no Service of type LoadBalancer in {where} (an error with --require 1)"
    )


def check_required(required: int, found: int) -> None:
    """Refuse to succeed with fewer cloud.confs than the user knows there are.

    Args:
        required: ``--require``; 0 without the option.
        found: How many were found.

    Raises:
        WrongUse: There are fewer.
    """
    if found < required:
        confs = f"{found:,} cloud.confs were" if found > 1 else f"{found or 'no'} cloud.conf was"
        raise WrongUse(
            f"{confs} found, and --require says {required}.", "See ccmcheck list -v for what was found, and why not."
        )
