"""What a first look at one file shows, by words in it."""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers import prefilter
from ccmcheck.workspace.read_files import SurveyedFile
from ccmcheck.workspace.related_files import Hints, hints_of


class Look(NamedTuple):
    """What a first look at a file that is worth linting shows.

    Attributes:
        file: The file, with its bytes where they were kept.
        hints: What the rules about Services may need of it.
        is_shared: Whether the rules about other files may need something of it.
        names_values: Whether it may say which values of a chart are laid over one another.
    """

    file: SurveyedFile
    hints: Hints = Hints()
    is_shared: bool = False
    names_values: bool = False


def look_at(file: SurveyedFile) -> Look:
    """What a file that is worth linting shows, by its bytes."""
    data = file.data or b""
    path = file.target.path
    hints, log = hints_of(data), prefilter.may_be_log(data, path)
    answers, control_plane = not log and prefilter.may_hold_answers(data, path), prefilter.may_make_control_plane(data)
    if answers or log or control_plane:
        hints = hints._replace(answers=answers, log=log, control_plane=control_plane)
    return Look(file, hints, prefilter.needed_by_other_files(data), prefilter.names_values(path, data))
