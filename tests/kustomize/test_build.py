"""Builds: fields that make what they touch unknown, limits, cycles, what is never read."""

from __future__ import annotations

import random

import pytest
from kustomize_generate import tree
from kustomize_ours import built

from ccmcheck.kustomize import files as files_of_builds
from ccmcheck.kustomize.build import Build
from ccmcheck.kustomize.bundle import Bundle, bundled, fits
from ccmcheck.kustomize.files import Files
from ccmcheck.kustomize.limits import BuildLimits, BuildTooLarge
from ccmcheck.layers.placed_values import Leaf, List, Map, Tree, plain
from ccmcheck.layers.placed_writer import write
from ccmcheck.yamlio import Mapping, documents

WEB = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  type: ClusterIP\n  ports: [{port: 80}]\n"
PATCH = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  type: LoadBalancer\n"


def top(*lines: str, **files: str) -> dict[str, str]:
    """A tree of one kustomization with the Service above."""
    return {"k/kustomization.yaml": "\n".join(("resources: [web.yaml]", *lines)) + "\n", "k/web.yaml": WEB, **files}


@pytest.mark.parametrize(
    "lines",
    [
        ("transformers: [t.yaml]",),
        ("openapi: {path: schema.json}",),
        ("replacements: [{path: r.yaml}]",),
        ("replacements: [{source: {kind: ConfigMap}, targets: [{select: {kind: Service}, fieldPaths: [spec.type]}]}]",),
        ("patches: [{path: missing.yaml, target: {kind: Service}}]",),
        ("patches: [{patch: '[{op: remove, path: /spec/none}]', target: {kind: Service}}]",),
        ("patches: [{patch: '{spec: {$retainKeys: [type]}}', target: {kind: Service}}]",),
        ("components: [https://example.org/component]",),
        ("labels: [{pairs: {a: b}, fields: [{path: spec/x}]}]",),
    ],
)
def test_what_is_not_built_makes_what_it_touches_unknown(lines: tuple[str, ...]) -> None:
    _, unknown = built(top(*lines), "k/kustomization.yaml")
    assert unknown == {"Service /web"}


@pytest.mark.parametrize(
    "lines",
    [
        ("helmCharts: [{name: ccm}]",),
        ("generators: [g.yaml]",),
        ("crds: [c.yaml]",),
        ("replacements: [{targets: [{select: {kind: Deployment}}]}]",),
        ("resources: [web.yaml, https://example.org/base, github.com/a/b//c?ref=v1]",),
    ],
)
def test_what_does_not_touch_an_object_leaves_it_known(lines: tuple[str, ...]) -> None:
    files = {
        **top(),
        "k/kustomization.yaml": "\n".join(("resources: [web.yaml]", *lines)[-1 if "resources" in lines[0] else 0 :])
        + "\n",
    }
    objects, unknown = built(files, "k/kustomization.yaml")
    assert list(objects) == ["Service /web"]
    assert unknown == set()


def test_a_value_with_a_variable_is_unknown_alone() -> None:
    files = top("vars: [{name: HOST, objref: {kind: Service, name: web}}]")
    files["k/web.yaml"] += "  loadBalancerIP: $(HOST)\n"
    (resource,) = Build(Files(files.get)).root("k/kustomization.yaml")
    spec = resource.tree["spec"]
    assert isinstance(spec, Map)
    assert {name for name, value in spec.items() if isinstance(value, Leaf) and value.unknown} == {"loadBalancerIP"}


def test_a_file_of_flux_is_no_kustomization() -> None:
    files = {
        **top(),
        "k/kustomization.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec: {}\n",
    }
    assert built(files, "k/kustomization.yaml") == ({}, set())


def test_kustomizations_that_include_one_another_end() -> None:
    files = {
        **top("- ../l"),
        "k/kustomization.yaml": "resources: [web.yaml, ../l]\n",
        "l/kustomization.yaml": "resources: [../k]\n",
    }
    assert list(built(files, "k/kustomization.yaml")[0]) == ["Service /web"]


def test_bases_that_double_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccmcheck.kustomize.limits.OF_BUILD", BuildLimits(500, 1_000_000, 1_000_000))
    files = {"0/kustomization.yaml": "resources: [web.yaml]\n", "0/web.yaml": WEB}
    for level in range(1, 20):
        below = f"../{level - 1}"
        files[f"{level}/kustomization.yaml"] = f"resources: [{below}, {below}]\n"
    with pytest.raises(BuildTooLarge):
        Build(Files(files.get)).root("19/kustomization.yaml")


def test_too_many_files_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files_of_builds, "MOST_FILES", 10)
    names = [f"{number}.yaml" for number in range(20)]
    files = {"k/kustomization.yaml": f"resources: [{', '.join(names)}]\n", **{f"k/{name}": WEB for name in names}}
    with pytest.raises(BuildTooLarge):
        Build(Files(files.get)).root("k/kustomization.yaml")


def test_an_alias_bomb_is_not_read() -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    files = {**top(), "k/web.yaml": f"kind: Service\nmetadata: {{name: web}}\n{bomb}"}
    assert built(files, "k/kustomization.yaml") == ({}, set())


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a*)*", "(?i)web", "w{1,9}{1,9}", "x." * 300])
def test_a_selector_that_may_take_long_is_unknown(pattern: str) -> None:
    files = top(f"patches: [{{target: {{kind: Service, name: '{pattern}'}}, path: p.yaml}}]", **{"k/p.yaml": PATCH})
    assert built(files, "k/kustomization.yaml")[1] == {"Service /web"}


def test_a_bundle_gives_its_files_back() -> None:
    files = {"a/kustomization.yaml": "resources: []", "b.yaml": "x: 1\n", "empty": ""}
    bundle = Bundle(bundled("a/kustomization.yaml", files))
    assert bundle.root == "a/kustomization.yaml"
    assert bundle.files() == files
    part = bundle.part("b.yaml")
    assert part is not None
    assert bundle.in_file(bundle.line_of("b.yaml", 1)) == ("b.yaml", 1)
    assert bundle.text[: part.start].count("\n") == part.line
    assert not fits("a", "x\x1fy")
    assert not fits("a\nb", "")


@pytest.mark.parametrize("seed", range(40))
def test_every_value_is_where_it_is_said_to_be(seed: int) -> None:
    """What is written for a built object reads as the object, and its pieces are the text of the files."""
    files = tree(random.Random(f"places {seed}"))  # noqa: S311 - generated trees
    text = bundled("top/kustomization.yaml", files)
    bundle = Bundle(text)
    starts = {part.path: part.start for part in bundle.parts}
    for resource in Build(Files(files.get, starts.__getitem__)).root("top/kustomization.yaml"):
        written = write(resource.tree, text)
        (document,) = documents(written.layer.text)
        assert isinstance(document.root, Mapping)  # type: ignore[union-attr]
        assert read_again(written.layer.text) == plain(resource.tree)
        for piece in written.layer.pieces:
            if piece.verbatim:
                assert text[piece.outer.start : piece.outer.end] == written.layer.text[piece.start : piece.end]
        assert _places_are_in_files(resource.tree, bundle)


def read_again(text: str) -> object:
    """A YAML text as plain data."""
    from ccmcheck.layers.placed_values import PlacedReader

    (document,) = documents(text)
    return plain(PlacedReader(text).read(document.root))  # type: ignore[union-attr, arg-type]


def _places_are_in_files(tree: Tree, bundle: Bundle) -> bool:
    if isinstance(tree, Map):
        return all(_places_are_in_files(value, bundle) for value in tree.values())
    if isinstance(tree, List):
        return all(_places_are_in_files(item, bundle) for item in tree)
    return any(part.start <= tree.place.start <= tree.place.end <= part.end for part in bundle.parts)
