"""The checks that state a profile's requirements, as functions of configobj's ``validate``.

``validate`` takes a check such as ``duration(min=3s, max=15s, since=1.26)`` apart and calls the function of its name
with what it found. Here that function is given the key which the check is for, holds the arguments against the key's
type in the catalogue, and returns the parsed check; `ccmcheck.policy.profiles.evaluation` applies it to a file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from ccmcheck.base.data_files import read_table
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.profile import Condition
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import hint
from ccmcheck.catalog import history, release
from ccmcheck.conf.reading import typed
from ccmcheck.redact.masker import is_secret_name, mask_text

ANY = "any"
"""The check that removes an inherited requirement."""

_EXAMPLES: dict[str, str] = dict(read_table(__file__, "examples.tsv"))
_NUMBERS = ("uint", "int")

_CALL = lazy_regex(r"([\w-]++)[ ]*+(?:\((.*)\))?", flags=0)
_ARGUMENT = r"""[ ]*+(?:[A-Za-z_]\w*+[ ]*+=[ ]*+)?+(?:"[^"]*+"|'[^']*+'|[^'",=()]++)[ ]*+"""
_ARGUMENTS = lazy_regex(rf"(?:{_ARGUMENT}(?:,{_ARGUMENT})*+)?+")
_OPTION = lazy_regex(r"""(?:[ ]*+([A-Za-z_]\w*+)[ ]*+=)|"[^"]*+"|'[^']*+'|[^'",=()]++""")
_CONDITION = lazy_regex(r"[ ]*+(?:([\w-]++)\.)?+([\w-]++)[ ]*+=[ ]*+([^=,]*+)")
_COMMON = ("since", "until", "when")


class CheckedKey(NamedTuple):
    """The key that a check is for.

    Attributes:
        section: As the catalogue writes it.
        name: As the catalogue writes it.
        type: As in `ccmcheck.catalog.KeySpec`, in the newest release that knows it.
    """

    section: str
    name: str
    type: str

    @property
    def is_secret(self) -> bool:
        """Whether no message may hold its values."""
        return is_secret_name(self.name)


class ProfileCheck(NamedTuple):
    """A check, taken apart; see `ccmcheck.base.profile.Requirement`."""

    name: str
    values: tuple[str, ...] = ()
    low: str = ""
    high: str = ""
    default: str | None = None
    since: str = ""
    until: str = ""
    when: tuple[Condition, ...] = ()

    def __repr__(self) -> str:
        return f"<Check {self.name}>"  # the values may be secrets


class Shape(NamedTuple):
    """What a check may be given.

    Attributes:
        least: How many values at least.
        most: How many at most; None for any number.
        limits: Whether it takes ``min`` and ``max``.
        types: The types of keys that it is for; empty for all.
        reads: Whether its values must be such as the CCM could read for the key.
        about: What it requires, for people.
    """

    least: int
    most: int | None
    limits: bool = False
    types: tuple[str, ...] = ()
    reads: bool = True
    about: str = ""


CHECKS: dict[str, Shape] = {
    "equals": Shape(1, None, about="this value; several for a key that may stand in several lines"),
    "option": Shape(1, None, about="one of these values"),
    "not": Shape(1, None, about="none of these values"),
    "duration": Shape(0, 0, limits=True, types=("duration",), about="from `min` to `max`"),
    "integer": Shape(0, 0, limits=True, types=_NUMBERS, about="from `min` to `max`"),
    "like": Shape(1, None, types=("string", "word", "list"), reads=False, about="like one of these patterns with `*`"),
    "one-of-tags": Shape(1, None, types=("string", "list"), reads=False, about="one of these among its tags"),
    "present": Shape(0, 0, about="some value in the file, whatever the default"),
    "absent": Shape(0, None, about="no such line; with values: none that holds one of them"),
    "usual": Shape(0, 1, about="not enforced: the value that is common there, or the release's default"),
    "recommended": Shape(0, 0, about="not enforced: what ccmcheck recommends"),
    ANY: Shape(0, 0, about="nothing; removes the requirement of an extended profile"),
}  # fmt: skip
"""Every check, in the order in which it is explained."""


class InvalidCheck(Exception):
    """A check that is not valid; never quotes a value of a secret key.

    Args:
        message: What is wrong, without a full stop.
        hint: What to write.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def find_key(section: str, name: str) -> CheckedKey | None:
    """Look a key up among all that any release of any reader of cloud.conf knows."""
    key_history = history(section, name)
    if key_history is None:
        return None
    consumer = key_history.consumers.get("ccm") or next(iter(key_history.consumers.values()))
    kind = consumer.types[-1][1]
    return CheckedKey(key_history.section, key_history.key, "int" if kind == "int64" else kind)


class CheckReader:
    """Reads checks; one for a profile, so that configobj is imported once and only where there is one."""

    def __init__(self) -> None:
        from configobj.validate import Validator

        self._validator = Validator()
        self._validator.functions = {name: _function(name) for name in CHECKS}

    def read(self, text: str, key: CheckedKey) -> ProfileCheck:
        """Read one check.

        Args:
            text: As written, without its comment.
            key: What it is for.

        Raises:
            InvalidCheck: It is not valid.
        """
        from configobj.validate import ValidateError

        text = self._normalized(text, key)
        try:
            check = cast("ProfileCheck", self._validator.check(text, key))
            try:
                default = cast("str | None", self._validator.get_default_value(text))
            except KeyError:
                return check
        except (ValidateError, SyntaxError):
            raise InvalidCheck("this is not a check", _how_to_write(key)) from None
        return _with_default(check, "None" if default is None else default, key)

    def _normalized(self, text: str, key: CheckedKey) -> str:
        """The check in a form in which ``validate`` ignores nothing.

        Raises:
            InvalidCheck: There is no such check, or its arguments are not in the notation.
        """
        call = _CALL.fullmatch(text)
        name = call[1] if call is not None else ""
        if call is None or name not in CHECKS:
            if key.is_secret:
                raise InvalidCheck(
                    "this is not a check", "Write `present` or `absent`; a profile is no place for secrets."
                )
            if not text:
                raise InvalidCheck("there is no check", _how_to_write(key))
            if call is not None and (call[2] is not None or hint(name, CHECKS)):
                raise InvalidCheck(
                    f"there is no check `{name}`",
                    hint(name, CHECKS) or f"{_how_to_write(key)} The checks: {', '.join(CHECKS)}.",
                )
            if text.partition("(")[0].strip() in CHECKS and ")" in text:
                raise InvalidCheck(
                    "something follows the check",
                    "Leave it out; a reason goes below [[reason]], a source below [[source]].",
                )
            if text.partition("(")[0].strip() in CHECKS:
                raise InvalidCheck("the bracket of this check is not closed", _how_to_write(key))
            raise InvalidCheck(f"`{_cut(mask_text(text))}` is not a check", _how_to_write(key))
        arguments = call[2] if call[2] is not None else ""
        if not _ARGUMENTS.fullmatch(arguments) or (call[2] is not None and call[2] and not call[2].strip()):
            raise InvalidCheck(
                f"the arguments of `{name}` cannot be parsed",
                'Separate them by commas; put a value with a comma, `=` or brackets in it into "quotes".',
            )
        options = [match[1] for match in _OPTION.finditer(arguments) if match[1]]
        twice = next((option for option in options if options.count(option) > 1), None)
        if twice is not None:
            raise InvalidCheck(f"`{name}` has " + ("an argument" if key.is_secret else f"`{twice}=`") + " twice")
        return f"{name}({arguments.strip()})" if arguments.strip() else name


def _how_to_write(key: CheckedKey) -> str:
    if key.is_secret:
        return "Write `present` or `absent`; a profile is no place for secrets."
    example = {
        "bool": "equals(true)",
        "duration": "duration(min=3s, max=15s)",
        "uint": "integer(min=1, max=10)",
        "int": "integer(min=1, max=10)",
    }.get(key.type, "equals(VALUE), option(ONE, OTHER)")
    return f"Write {key.name} = {example}, present or absent."


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"


def _function(name: str) -> Callable[..., ProfileCheck | str]:
    """The function that ``validate`` calls for a check: with the key, or with the text of ``default=``."""

    def function(key: CheckedKey | str, /, *values: str, **options: str | list[str]) -> ProfileCheck | str:
        return key if isinstance(key, str) else _read(name, key, values, options)

    return function


def _read(name: str, key: CheckedKey, values: tuple[str, ...], options: dict[str, str | list[str]]) -> ProfileCheck:
    shape = CHECKS[name]
    if shape.types and key.type not in shape.types:
        raise InvalidCheck(
            f"`{name}` is not for `{key.name}`, which takes {_EXAMPLES.get(key.type, 'a text')}", _how_to_write(key)
        )
    known = (*(("min", "max") if shape.limits else ()), *(() if name == ANY else _COMMON))
    for option in options:
        if option not in known:
            if key.is_secret or not known:
                words = f"{', '.join(f'{argument}=' for argument in known)} only" if known else "nothing"
                raise InvalidCheck(f"`{name}` takes {words}")
            raise InvalidCheck(f"`{name}` takes no `{option}`", hint(option, (*known, "default")))
    if len(values) < shape.least:
        raise InvalidCheck(f"`{name}` needs a value", f"Write {name}({'VALUE' if shape.most == 1 else 'VALUE, …'}).")
    if shape.most is not None and len(values) > shape.most:
        count = {0: "no value", 1: "one value"}[shape.most]
        raise InvalidCheck(f"`{name}` takes {count}" + (" but min= and max=" if shape.limits else ""))
    if name == "equals" and len(values) > 1 and key.type != "list":
        raise InvalidCheck("`equals` takes one value here", "Write option(ONE, OTHER).")
    if shape.limits and "min" not in options and "max" not in options:
        raise InvalidCheck(f"`{name}` needs min= or max=", _how_to_write(key))
    texts = {option: value if isinstance(value, str) else ", ".join(value) for option, value in options.items()}
    if shape.reads:
        for value in values:
            _parse_value(key, value)
    low, high = texts.get("min", ""), texts.get("max", "")
    _check_limits(key, low, high)
    since, until = _release("since", texts.get("since", "")), _release("until", texts.get("until", ""))
    if since and until and not release(until) >= release(since):
        raise InvalidCheck(f"until={until} is before since={since}, so it would never apply")
    return ProfileCheck(name, values, low, high, None, since, until, _conditions(key, texts.get("when", "")))


def _with_default(check: ProfileCheck, default: str, key: CheckedKey) -> ProfileCheck:
    if check.name in {"absent", "usual", "recommended", ANY}:
        raise InvalidCheck(f"`{check.name}` takes no `default`")
    _parse_value(key, default)
    return check._replace(default=default)


def _parse_value(key: CheckedKey, text: str) -> object:
    """The value as the CCM would read it.

    Raises:
        InvalidCheck: The CCM would not start with it.
    """
    value, _, problem = typed(key.type, text)
    if problem is not None:
        raise InvalidCheck(
            f"`{key.name}` takes {_EXAMPLES.get(key.type, 'a text')}"
            + ("" if key.is_secret else f", not `{_cut(text)}`")
        )
    return value


def _check_limits(key: CheckedKey, low: str, high: str) -> None:
    least = _parse_value(key, low) if low else None
    most = _parse_value(key, high) if high else None
    if isinstance(least, int) and isinstance(most, int) and least > most:
        raise InvalidCheck(f"min={low} is more than max={high}, so no value satisfies both")


def _release(option: str, name: str) -> str:
    if name:
        try:
            release(name)
        except WrongUse as error:
            raise InvalidCheck(f"{option}: {error.message}", error.hint) from None
    return name


def _conditions(key: CheckedKey, text: str) -> tuple[Condition, ...]:
    conditions = []
    for part in text.split(",") if text else ():
        match = _CONDITION.fullmatch(part)
        if match is None:
            raise InvalidCheck(f"when: `{_cut(part.strip())}` is not a condition", 'Write when="lb-provider=ovn".')
        other = find_key(match[1] or key.section, match[2])
        if other is None:
            raise InvalidCheck(f"when: no release knows `{match[2]}` in [{match[1] or key.section}]")
        if other.is_secret:
            raise InvalidCheck(f"when: `{other.name}` holds a secret")
        _parse_value(other, match[3].strip())
        conditions.append(Condition(other.section, other.name, match[3].strip()))
    return tuple(conditions)
