"""The figures of the code are counted as they are defined, and do not get worse unseen."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from code_figures import PACKAGE, Figures, figures

CODE = '''"""A docstring
of two lines."""

# a comment
NAME = 1
"""What it is."""


class Thing:
    """A class."""

    def work(self, a: int, b: int) -> str:
        """A function."""
        for one in (a, b):
            if one:
                return "x"
            elif a:
                return """text

in lines"""
        return ""
'''
MOST = {"longer than 60 lines": 5, "nested deeper than 3": 5, "more than 6 parameters": 8}
"""Those of today; lower them with what is taken apart."""


@cache
def of_today() -> Figures:
    """Of the package, which takes seconds to parse."""
    return figures(PACKAGE)


def test_what_is_counted(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "module.py").write_text(CODE)
    found = figures(tmp_path)
    assert found.lines == {"room": 10}
    (function,) = found.functions
    assert (function.place, function.lines, function.nesting, function.parameters) == ("room/module.py:12", 8, 2, 2)
    assert found.classes == {"Thing": ["room/module.py:9"]}


def test_no_more_functions_are_too_long_or_too_deep() -> None:
    beyond = {what: len(functions) for what, functions in of_today().beyond().items()}
    assert all(count <= MOST[what] for what, count in beyond.items()), beyond


def test_no_name_is_that_of_two_classes() -> None:
    assert of_today().twice() == {}
