"""No text may stop the search, whatever it holds, nor make it slow."""

from __future__ import annotations

import time

import pytest
from carrying import CONF, b64, gz64, indent
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccmcheck.base.edits import apply
from ccmcheck.base.model import Edit, Span
from ccmcheck.carriers import FindOptions, find

PATHS = st.sampled_from(
    ["x.yaml", "cloud.conf", "cloud.conf.tmpl", "values.yaml", "x", "templates/secret.yaml", "x.json"]
)
PIECES = st.sampled_from(
    [
        *("[Global]\n", "auth-url = x\n", "[LoadBalancer]\n", "create-monitor\n", '"', "'", "\\\n", "=", "\t", "\r\n"),
        *(
            "kind: Secret\n",
            "kind: ConfigMap\n",
            "kind: KubeadmControlPlane\n",
            "kind: HelmRelease\n",
            "apiVersion: v1\n",
        ),
        *(
            "metadata:\n",
            "  name: x\n",
            "data:\n",
            "stringData:\n",
            "  cloud.conf: |\n",
            "    [Global]\n",
            "    auth-url=x\n",
        ),
        *(
            "spec:\n",
            "  files:\n",
            "  - path: /etc/cloud.conf\n",
            "    content: ",
            "cloudConfig:\n",
            "  global:\n",
            "    a: b\n",
        ),
        *("{{ x }}", "{{- if x }}\n", "${X}", "${X:=y}", "$${X}", "%{ if x }\n", "{% x %}\n", "<%= x %>", "{{", "${"),
        *(
            "---\n",
            "- ",
            "[",
            "]",
            "{",
            "}",
            ": ",
            "# x\n",
            "&a ",
            "*a",
            "!!str ",
            "<<: *a\n",
            "> \n",
            "\ufeff",
            "\0",
            "\ud800",
        ),
        *(
            b64(CONF),
            b64(b64(CONF)),
            gz64(CONF),
            b64("kind: Secret\ndata:\n  cloud.conf: x\n"),
            "<<EOF\n",
            "EOF\n",
            "\u2028",
            "é",
        ),
    ]
)


@settings(max_examples=400)
@given(PATHS, st.lists(PIECES, max_size=25).map("".join), st.sampled_from([None, True, False]), st.booleans())
@example("x.yaml", "kind: Secret\nstringData:\n  cloud.conf: >\n    [Global]\n    auth-url=${X}\n", None, False)
@example("x.yaml", 'cloudConfig:\n  global:\n    "auth-url": "{{ x }}"\n', None, False)
def test_no_text_makes_find_raise(path: str, text: str, template: bool | None, explicit: bool) -> None:
    options = FindOptions(variables={"X": "y"} if explicit else {}, explicit=explicit, template=template)
    for carried in find(path, text, options).carried:
        inner = carried.stack.inner
        assert len(carried.text) == len(inner)
        assert carried.stack.text == text
        assert carried.stack.put([]) == []
        outer = carried.stack.outward(Span(0, len(inner)))
        assert 0 <= outer.start <= outer.end <= len(text)
        before = 0
        for mark in carried.marks:
            assert before <= mark.start <= mark.end <= len(inner)
            before = mark.end
        if template:
            assert not carried.final


@settings(max_examples=200)
@given(
    st.integers(0, len(CONF)),
    st.text(alphabet="ab \n=[]\"'#é", max_size=6),
    st.sampled_from(["plain", "base64", "block", "nested"]),
)
def test_a_change_inside_is_the_change_outside(at: int, new: str, way: str) -> None:
    """The law of lenses, through the whole stack of each carrier."""
    secret = f"kind: Secret\ndata:\n  cloud.conf: {b64(CONF)}\n"
    text = {
        "plain": CONF,
        "base64": secret,
        "block": f"kind: Secret\nstringData:\n  cloud.conf: |\n{''.join(f'    {line}' for line in CONF.splitlines(True))}",
        "nested": f"kind: Secret\ndata:\n  crs: {b64(secret)}\n",
    }[way].replace("    \n", "\n")
    path = "cloud.conf" if way == "plain" else "x.yaml"
    (carried,) = find(path, text).carried
    changed = apply(CONF, [Edit(at, at, new)])
    if way == "block" and (changed.startswith((" ", "\n")) or not changed.endswith("\n") or changed.endswith("\n\n")):
        return
    after = find(path, apply(text, carried.stack.put([Edit(at, at, new)])), FindOptions(explicit=True)).carried
    assert [one.text for one in after] == [changed]


@pytest.mark.parametrize(
    "text",
    [
        "[Global]\n" * 30_000,
        "auth-url = x\n" * 20_000,
        "\n" * 250_000 + "[Global]",
        " " * 250_000 + "[Global]",
        "kind: Secret\nstringData:\n  x: |\n" + "    [Global]\n" * 15_000,
        "kind: ConfigMap\ndata:\n  x: |\n" + "    cat <<EOF\n    [a]=b\n" * 5_000,
        "kind: ConfigMap\ndata:\n  x: |\n" + "".join(f"    cat <<E{n}\n    [a]=b\n" for n in range(5_000)),
        "kind: Secret\ndata:\n" + "".join(f"  a{n}: {b64(CONF)}\n" for n in range(500)),
        "cloudConfig:\n  global:\n" + "".join(f"    k{n}: v\n" for n in range(2_500)),
        "{{ x }}\n" * 15_000 + "[Global]\n",
        "x: " + "[" * 25_000,
        "a: &a [x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(1_500)),
        "kind: Secret\ndata: {" + "a: " * 1 + "{b: " * 2_500,
        "write_files:\n" + "- {path: /etc/x, content: [Global]}\n" * 15_000,
        "kind: Secret\nstringData:\n" + "".join(f"  a{n}: '[Global]'\n" for n in range(20_000)),
        "x: cloud.conf\n" + ("secret:\n" + "  # c\n" * 20 + "x: y\n") * 1_000,
        "x: cloud.conf\n" + ("secret:\n" + "   \n" * 20 + "x: y\n") * 1_000,
    ],
    ids=range(17),
)
def test_time_is_linear_in_the_text(text: str) -> None:
    started = time.process_time()
    find("x.yaml", text)
    find("cloud.conf.tmpl", text)
    assert time.process_time() - started < 3


@pytest.mark.parametrize(
    "text",
    ["a: b\n---\n" * 30_000, "service: {a: b}\n---\n" * 20_000, "items:\n" + "- {kind: Foo, metadata: {}}\n" * 12_500],
    ids=["documents", "services", "objects"],
)
def test_a_text_is_not_looked_through_for_each_part_of_it(text: str) -> None:
    started = time.process_time()
    find("x.yaml", f"x: cloud.conf\n{'---' if text[0] != 'i' else ''}\n{text}")
    assert time.process_time() - started < 3


def test_objects_within_objects_within_texts() -> None:
    text = "x"
    for _ in range(6):
        nested = "".join(
            f"{' ' * depth}kind: Thing\n{' ' * depth}apiVersion: v1\n{' ' * depth}spec:\n" for depth in range(60)
        )
        text = f"{nested}{' ' * 61}text: {b64(text)}\n"
    assert find("x.yaml", text).carried == []


def test_lists_of_lists_are_still_searched() -> None:
    text = f"apiVersion: v1\nkind: Secret\ndata:\n  cloud.conf: {b64(CONF)}\n"
    for _ in range(20):
        text = f"kind: List\napiVersion: v1\nitems:\n- {indent(text, 2)}"
    assert [one.text for one in find("x.yaml", text).carried] == [CONF]


def test_the_limit_of_what_is_unpacked_counts_a_file() -> None:
    conf = CONF + "#" * 400 + "\n"
    data = "".join(f"  cloud{number}.conf: {gz64(conf)}\n" for number in range(5))
    text = f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n{data}"
    found = find("x.yaml", text, FindOptions(max_unpacked=2 * len(conf) + 10))
    assert len(found.carried) == 2
    assert len(found.broken) == 3
    assert {one.message for one in found.broken} == {
        f"this gzip and those above it unpack to more than {2 * len(conf) + 10} bytes"
    }


def _aliased(shape: str, count: int, lines: int) -> str:
    """A text of some lines under one anchor, and a number of aliases of it."""
    keys = "".join(f"key-{number}=a\n" for number in range(lines))
    conf = f"[Global]\nauth-url=a\n{keys}"
    values = indent("".join(f"key-{number}: a\n" for number in range(lines)), 4)
    anchored, use = {
        "a chart's map": (f"x: &x\n  global:\n    auth-url: a\n    {values}\n", "a{}: {{cloudConfig: *x}}\n"),
        "Secrets": (
            f"kind: List\nx: &x\n  cloud.conf: |\n    {indent(conf, 4)}\nitems:\n",
            "- {{kind: Secret, metadata: {{name: s{}}}, stringData: *x}}\n",
        ),
        "files": (
            f"x: &x |\n  {indent(conf, 2)}\nkind: KubeadmControlPlane\nspec:\n  kubeadmConfigSpec:\n    files:\n",
            "    - {{path: /etc/{}/cloud.conf, content: *x}}\n",
        ),
        "Services": (
            f"x: &x\n  service:\n    annotations:\n      loadbalancer.openstack.org/x: y\n      {values.replace('    ', '      ')}\n",
            "a{}: {{controller: *x}}\n",
        ),
    }[shape]
    return anchored + "".join(use.format(number) for number in range(count))


SHAPES = ["a chart's map", "Secrets", "files", "Services"]


def _found(text: str) -> tuple[int, list[str]]:
    contents = find("x.yaml", text)
    services = [one for one in contents.objects if one.kind == "Service"]
    return len(contents.carried) + len(services), [failure.message for failure in contents.broken]


@pytest.mark.parametrize("shape", SHAPES)
def test_all_aliases_of_a_usual_text_are_looked_at(shape: str) -> None:
    also_at_anchor = shape == "Secrets"  # by its name there
    assert _found(_aliased(shape, 99, 5)) == (99 + also_at_anchor, [])
    assert _found(_aliased(shape, 20, 100)) == (20 + also_at_anchor, [])


@pytest.mark.parametrize("shape", SHAPES)
def test_aliases_that_repeat_too_much_text_are_not_followed(shape: str) -> None:
    found, failures = _found(_aliased(shape, 2_000, 1_000))
    assert 1 <= found < 100
    assert failures == ["aliases repeat more than 256 KiB of text, and the rest of them is not looked at"]
