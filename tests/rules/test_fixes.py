"""The edits that rules share: they keep the file's style and change nothing else."""

from __future__ import annotations

import pytest
from casework import conf_of
from rule_cases import Case

from ccmcheck.base.edits import apply
from ccmcheck.base.model import Applicability, Edit, Span
from ccmcheck.conf.assignments import spell
from ccmcheck.conf.view import CloudConf
from ccmcheck.gcfg import Variable, parse
from ccmcheck.rules._support import fixes


def entry_of(conf: CloudConf, key: str) -> Variable:
    return next(item.entry for item in conf.items if item.entry.key == key)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("x", "x"),
        ("", ""),
        ("a b", "a b"),
        ("a#b", '"a#b"'),
        ("a;b", '"a;b"'),
        (' a"b\\c', '" a\\"b\\\\c"'),
        ("a\nb", '"a\\nb"'),
        ("it's", "it's"),
    ],
)
def test_a_spelled_value_is_read_as_the_same_value(value: str, written: str) -> None:
    assert spell(value) == written
    for text in (written, spell(value, quoted=True)):
        document = parse(f"[Global]\nregion = {text}\n")
        assert not document.stops
        assert document.sections[0].entries[0].value == value


@pytest.mark.parametrize(
    ("line", "value", "fixed"),
    [
        ("region=R", "x", "region=x"),
        ('region = "R"  # c', "x", 'region = "x"  # c'),
        ("region =", "x", "region = x"),
        ("region=", "x", "region=x"),
        ("region = # c", "x", "region = x # c"),
        ("region", "x", "region = x"),
        ("region ; c", "a;b", 'region = "a;b" ; c'),
        ("region = a\\\nb", "x", "region = x"),
    ],
)
def test_write_value_keeps_quotes_spaces_and_comments(line: str, value: str, fixed: str) -> None:
    conf = conf_of(Case(f"[Global]\n{line}\n"))
    edit = fixes.write_value(conf, entry_of(conf, "region"), value)
    assert apply(conf.text, [edit]) == f"[Global]\n{fixed}\n"


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("[Global]\nregion=R\ncloud=c\n", "[Global]\ncloud=c\n"),
        ("[Global]\r\nregion=R\r\n", "[Global]\r\n"),
        ("[Global]\nregion=R", "[Global]"),
        ("[Global]\r\n  region=R", "[Global]"),
        ("[Global]\n  region=R # why\n", "[Global]\n  # why\n"),
        ("[Global]\nregion=a\\\nb\n", "[Global]\n"),
        ("[Global]\nregion\n", "[Global]\n"),
    ],
)
def test_delete_key_removes_the_line_and_keeps_the_comment(text: str, fixed: str) -> None:
    conf = conf_of(Case(text))
    assert apply(text, [fixes.delete_key(conf, entry_of(conf, "region"))]) == fixed


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("[Global]\nregion=R\n", "[Global]\nregion=R\ncloud=c\n"),
        ("[Global]\n  region = R # x\n[Route]\n", "[Global]\n  region = R # x\n  cloud = c\n[Route]\n"),
        ('[Global]\r\nregion="R"\r\n', '[Global]\r\nregion="R"\r\ncloud="c"\r\n'),
        ("[Global] # here", "[Global] # here\ncloud = c"),
        ("[Route]\nrouter-id=r", "[Route]\nrouter-id=r\n\n[Global]\ncloud=c"),
        ("[Route]\nrouter-id=r\n", "[Route]\nrouter-id=r\n\n[Global]\ncloud=c\n"),
        ("", "[Global]\ncloud = c\n"),
        ("[Global]\nregion\n[Route]\nrouter-id=r\n", "[Global]\nregion\ncloud=c\n[Route]\nrouter-id=r\n"),
    ],
)
def test_add_key_inserts_below_neighbours_in_their_style(text: str, fixed: str) -> None:
    conf = conf_of(Case(text))
    edit = fixes.add_key(conf, "Global", "cloud", "c")
    assert edit is not None
    result = apply(text, [edit])
    assert result == fixed
    assert conf_of(Case(result)).last("Global", "cloud") is not None


def test_add_key_chooses_the_section_and_subsection() -> None:
    text = '[LoadBalancerClass "a"]\nsubnet-id=x\nnetwork-id=y\n[LoadBalancerClass "b"]\nsubnet-id=z\n'
    conf = conf_of(Case(text))
    first = entry_of(conf, "subnet-id")
    edit = fixes.add_key(conf, "LoadBalancerClass", "floating-subnet", "s", subsection="a", after=first)
    assert edit == Edit(text.index("network-id"), text.index("network-id"), "floating-subnet=s\n")


def test_no_key_is_added_where_rendering_may_add_it() -> None:
    conf = conf_of(Case("[Global]\n{% if x %}\nregion=R\n{% endif %}\n", template=True))
    assert fixes.add_key(conf, "Global", "cloud", "c") is None


def test_repeat_key_writes_one_line_per_value() -> None:
    text = "[Networking]\r\n public-network-name = a # c\r\n"
    conf = conf_of(Case(text))
    edit = fixes.repeat_key(conf, entry_of(conf, "public-network-name"), ["b", "c d"])
    assert apply(text, [edit]) == text + " public-network-name = b\r\n public-network-name = c d\r\n"


def test_no_fix_changes_a_template_mark() -> None:
    conf = conf_of(Case("[Global]\nregion = {{ region }}\ncloud = c\n", template=True))
    region, cloud = entry_of(conf, "region"), entry_of(conf, "cloud")
    assert fixes.safe(conf, "write it", fixes.write_value(conf, region, "R")) is None
    assert fixes.unsafe(conf, "delete both", fixes.delete_key(conf, region), fixes.delete_key(conf, cloud)) is None
    assert fixes.safe(conf, "write it", None) is None
    fix = fixes.unsafe(conf, "rename it", fixes.rename_key(region, "area"))
    assert fix is not None
    assert fix.applicability is Applicability.UNSAFE
    assert fix.edits == (Edit(9, 15, "area"),)


def test_delete_lines_removes_whole_lines() -> None:
    assert apply("a\nbb\nc", [fixes.delete_lines("a\nbb\nc", Span(3, 3))]) == "a\nc"
    assert apply("a\r\nb", [fixes.delete_lines("a\r\nb", Span(3, 4))]) == "a"
    assert apply("a", [fixes.delete_lines("a", Span(0, 1))]) == ""


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("[Global]\nregion=r\nusername=u\npassword=p", "[Global]\nregion=r"),
        ("[Global]\nregion=r\nusername=u\npassword=p\n", "[Global]\nregion=r\n"),
        ("[Global]\r\nregion=r\r\nusername=u\r\npassword=p", "[Global]\r\nregion=r"),
        ("[Global]\nusername=u\nregion=r\npassword=p", "[Global]\nregion=r"),
    ],
)
def test_the_last_lines_are_deleted_together(text: str, fixed: str) -> None:
    conf = conf_of(Case(text))
    entries = [item.entry for item in conf.items if item.entry.key in {"username", "password"}]
    fix = fixes.safe(conf, "delete", *(fixes.delete_key(conf, entry) for entry in entries))
    assert fix is not None
    assert apply(text, fix.edits) == fixed
