"""Messages of logs and events that a known bug of some releases gives, from the words that its row quotes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ccmcheck.catalog.data.behaviour import stretches
from ccmcheck.catalog.data.release_bugs import BUGS, ReleaseBug
from ccmcheck.catalog.messages import Message, Wordings, wordings_of
from ccmcheck.catalog.release_bugs import NAMES, UNMENDED, conditions_of, spans_of

_LEAST_WORDS = 5
"""Words of a quoted text that lead to a bug; shorter ones, keys and values are those of many causes."""
_NO_MESSAGE = (" = ", ': "', "openstack ")
"""What settings and commands have in them."""
_NEAR = {"cinder-csi-plugin": "volumes", "manila-csi-plugin": "manila"}
_UPGRADE = "Where such a release runs, upgrade."
_ELSE = "With another release look at the reason behind this text."


@cache
def bug_wordings() -> Wordings:
    """What lines are searched for beside the table."""
    return wordings_of(bug_messages())


def bug_messages() -> tuple[Message, ...]:
    """A row for each text that bugs quote."""
    bugs_by_text: dict[str, list[tuple[str, ReleaseBug]]] = {}
    for bug in BUGS:
        for text in (*bug.label.split("`")[1::2], *bug.detail.split("`")[1::2]):
            if len(text.split()) >= _LEAST_WORDS and not any(word in text for word in _NO_MESSAGE):
                bugs_by_text.setdefault(text.casefold(), []).append((text, bug))
    return tuple(_message(rows[0][0], [bug for _, bug in rows]) for rows in bugs_by_text.values())


def _message(text: str, bugs: list[ReleaseBug]) -> Message:
    first = bugs[0]
    is_mended = any(all(before for _, before in stretches(bug.behaviour)) for bug in bugs)
    do = " ".join([_UPGRADE if is_mended else UNMENDED, *filter(None, (bug.do for bug in bugs)), _ELSE])
    return Message(
        (text.replace("…", "%s"),),
        _name(first),
        ", ".join(dict.fromkeys(bug.source for bug in bugs)),
        False,
        "\n".join(_said(bugs)),
        do,
        tuple(dict.fromkeys(key for bug in bugs for key in bug.on)),
        ("ccm-release-bug" if first.program in NAMES else "csi-release-bug",),
        _NEAR.get(first.program, "volumes" if "volume" in first.label else "openstack"),
        is_bug=True,
    )


def _said(bugs: list[ReleaseBug]) -> Iterator[str]:
    for bug in bugs:
        a_known = "A known" if bug is bugs[0] else "Another"
        where = f"may give it where {shows}" if (shows := conditions_of(bug)) else "gives it"
        yield f"{a_known} bug of {_name(bug)} ({spans_of(bug)}) {where}: such a release {bug.label}. {bug.detail}"


def _name(bug: ReleaseBug) -> str:
    return NAMES.get(bug.program, bug.program).removesuffix(" of Kubernetes")
