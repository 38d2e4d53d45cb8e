"""Annotations are set and removed in every notation of a Service, and nothing else is changed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccmcheck import catalog
from ccmcheck.base.edits import apply
from ccmcheck.base.model import Edit
from ccmcheck.carriers import FindOptions, find
from ccmcheck.carriers.base import RunContext
from ccmcheck.fix.guard import changed
from ccmcheck.fix.guard_yaml import check
from ccmcheck.rules._support import service_fixes
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.rules.views.service_view import ServiceView

NAME = "loadbalancer.openstack.org/enable-health-monitor"
TAIL = "spec:\n  type: LoadBalancer\n  ports:\n    - port: 80\n"


def view(text: str, path: str = "svc.yaml") -> ServiceView:
    contents = find(path, text, FindOptions(explicit=True))
    return ServiceView(Manifest(contents.objects[0], catalog.newest(), RunContext(), contents))


def done(text: str, *edits: Edit | None) -> str | None:
    found = [edit for edit in edits if edit is not None]
    if len(found) < len(edits):
        return None
    check(changed(text, found))
    return apply(text, found)


def after_set(text: str, value: str = "true", path: str = "svc.yaml") -> str | None:
    return done(text, service_fixes.set_annotation(view(text, path), "enable-health-monitor", value))


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ("metadata:\n  name: web\n", f'metadata:\n  name: web\n  annotations:\n    {NAME}: "true"\n'),
        (
            "metadata:\n    name: web # the shop\n    labels:\n        a: b\n",
            f'metadata:\n    name: web # the shop\n    annotations:\n        {NAME}: "true"\n    labels:\n        a: b\n',
        ),
        (
            "metadata:\n  name: web\n  annotations:\n    a: b # why\n",
            f'metadata:\n  name: web\n  annotations:\n    a: b # why\n    {NAME}: "true"\n',
        ),
        ("metadata:\n  name: web\n  annotations: {}\n", f'metadata:\n  name: web\n  annotations: {{{NAME}: "true"}}\n'),
        (
            "metadata:\n  name: web\n  annotations: {a: b}\n",
            f'metadata:\n  name: web\n  annotations: {{a: b, {NAME}: "true"}}\n',
        ),
        ("metadata: {name: web}\n", f'metadata: {{name: web, annotations: {{{NAME}: "true"}}}}\n'),
        (
            f"metadata:\n  name: web\n  annotations:\n    {NAME}: 'false' # off\n",
            f"metadata:\n  name: web\n  annotations:\n    {NAME}: 'true' # off\n",
        ),
        (
            f"metadata:\n  name: web\n  annotations:\n    {NAME}: false # off\n",
            f'metadata:\n  name: web\n  annotations:\n    {NAME}: "true" # off\n',
        ),
    ],
)
def test_set(metadata: str, expected: str) -> None:
    assert after_set(f"kind: Service\n{metadata}{TAIL}") == f"kind: Service\n{expected}{TAIL}"
    dos = f"kind: Service\n{metadata}{TAIL}".replace("\n", "\r\n")
    assert after_set(dos) == f"kind: Service\n{expected}{TAIL}".replace("\n", "\r\n")


def test_set_in_json() -> None:
    text = '{"kind": "Service", "metadata": {"name": "web"}, "spec": {"type": "LoadBalancer"}}'
    assert after_set(text, path="svc.json") == text.replace('"web"}', f'"web", "annotations": {{"{NAME}": "true"}}}}')
    text = '{\n  "kind": "Service",\n  "metadata": {\n    "name": "web"\n  }\n}\n'
    assert after_set(text, path="svc.json") == text.replace(
        '"web"\n', f'"web",\n    "annotations": {{"{NAME}": "true"}}\n'
    )


@pytest.mark.parametrize(
    "metadata",
    [
        "metadata:\n  name: web\n  annotations: *a\n",
        "metadata:\n  name: web\n  annotations: {{ toYaml .x }}\n",
        "metadata:\n  name: web\n  annotations:\n    {{- with .x }}\n    a: b\n    {{- end }}\n",
        f"metadata:\n  name: web\n  annotations:\n    {NAME}: ${{X}}\n",
        "metadata:\n  name: web\n  annotations: text\n",
        "metadata: web\n",
        "x: y\n",
    ],
)
def test_by_hand(metadata: str) -> None:
    text = f"a: &a {{b: c}}\nkind: Service\n{metadata}{TAIL}"
    service = view(text, "svc.yaml.tmpl" if "{{" in text or "${" in text else "svc.yaml")
    edit = service_fixes.set_annotation(service, "enable-health-monitor", "true")
    assert edit is None or service.manifest.is_opaque(service.span_of("metadata", "annotations", NAME))


def test_remove() -> None:
    head = "kind: Service\nmetadata:\n  name: web\n"
    alone = f"{head}  annotations:\n    {NAME}: 'true'\n{TAIL}"
    assert done(alone, *service_fixes.remove_annotations(view(alone), NAME)) == head + TAIL
    more = f"{head}  annotations:\n    {NAME}: 'true'\n    a: b\n{TAIL}"
    assert done(more, *service_fixes.remove_annotations(view(more), NAME)) == f"{head}  annotations:\n    a: b\n{TAIL}"
    assert service_fixes.remove_annotations(view(head + TAIL), NAME) == [None]
    field = service_fixes.remove_field(view(alone), "spec", "type")
    assert done(alone, field) == alone.replace("  type: LoadBalancer\n", "")


@settings(max_examples=150)
@given(
    st.lists(
        st.sampled_from(["a: b", 'c: "d"', "e: |\n      text\n      more", "f: # none", f"{NAME}: 'x'", "g: 1 # one"]),
        unique=True,
    ),
    st.sampled_from(["", "\n", "# between\n"]),
    st.text("ab c:#'\"\\{}", max_size=8).filter(
        lambda value: "{{" not in value and "{#" not in value
    ),  # a template's mark is read as unknown
)
def test_a_set_annotation_is_read_back_and_nothing_else_changes(lines: list[str], between: str, value: str) -> None:
    annotations = "  annotations:\n" + "".join(f"    {line}\n" for line in lines) if lines else ""
    text = f"kind: Service\nmetadata:\n  name: web\n{annotations}{between}{TAIL}"
    before = view(text).service.annotations
    after = after_set(text, value)
    assert after is not None
    assert view(after).service.annotations == {**before, NAME: value}
    assert [line for line in text.splitlines() if NAME not in line] == [
        line for line in after.splitlines() if NAME not in line and (lines or "annotations:" not in line)
    ]
