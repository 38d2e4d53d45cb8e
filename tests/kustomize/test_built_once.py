"""What is built is built once: found to be built, then searched, with the places that a build of its bundle has."""

from __future__ import annotations

import importlib
import random
from pathlib import Path

import pytest
from command_line import put, run
from kustomize_generate import tree

from ccmcheck.kustomize.build import Build
from ccmcheck.kustomize.builds import EVERY, Builds
from ccmcheck.kustomize.bundle import Bundle
from ccmcheck.kustomize.files import Files, parsed
from ccmcheck.kustomize.limits import BuildLimits
from ccmcheck.kustomize.plan import plan
from ccmcheck.layers.placed_values import Leaf, Map, Tree

SERVICE = "kind: Service\nmetadata: {{name: {0}}}\nspec: {{type: LoadBalancer, ports: [{{port: 80}}]}}\n"
CONF = "[Global]\nregion=a\n[LoadBalancer]\nfloating-network-id=x\n"
TREE: dict[str, str | bytes] = {
    "cloud.conf": CONF,
    "kustomization.yaml": "resources: [all.yaml]\nnamePrefix: p-\n",
    "all.yaml": "---\n".join(SERVICE.format(name) for name in "abc"),
}


def planned(files: dict[str, str]) -> Builds:
    paths = [path for path in files if "kustomization" in path]
    return plan(paths, lambda _, path: files.get(path), lambda *_: True, frozenset(files))


def placed(value: Tree) -> object:
    """A value with all its places."""
    if isinstance(value, Leaf):
        return (value.value, value.text, value.place, value.raw, value.lines, value.unknown)
    if isinstance(value, Map):
        return (value.place, [(name, value.names.get(name), placed(one)) for name, one in value.items()])
    return (value.place, [placed(one) for one in value])


@pytest.mark.parametrize("seed", range(40))
def test_it_is_what_a_build_of_the_bundle_is(seed: int) -> None:
    builds = planned(tree(random.Random(f"once {seed}")))  # noqa: S311 - generated trees
    assert builds.bundles
    for path, text in builds.bundles.items():
        built = builds.bundles.built(path, text)
        assert built is not None
        bundle = Bundle(text)
        texts = bundle.files()
        starts = {part.path: part.start for part in bundle.parts}
        files = Files(texts.get, starts.__getitem__)
        again = Build(files).root(path)
        assert [placed(one.tree) for one in built.objects] == [placed(one.tree) for one in again]
        assert [(one.is_open, one.is_hashed) for one in built.objects] == [
            (one.is_open, one.is_hashed) for one in again
        ]
        assert built.used == files.documents_used.keys()


def test_it_is_built_again_where_its_text_is_another() -> None:
    builds = planned({path: str(text) for path, text in TREE.items()})
    text = builds.bundles["kustomization.yaml"]
    assert builds.bundles.built("kustomization.yaml", text) is not None
    assert builds.bundles.built("kustomization.yaml", text.replace("80", "81")) is None


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How often kustomizations are built, and how often the documents of a file on its own are searched."""
    found = {"builds": 0, "documents": 0}
    root = Build.root
    module = importlib.import_module("ccmcheck.carriers.find")
    documents = module.documents

    def counted_root(self: Build, path: str) -> object:
        found["builds"] += 1
        return root(self, path)

    def counted_documents(text: str) -> object:
        found["documents"] += "kind: Service" in text
        return documents(text)

    monkeypatch.setattr(Build, "root", counted_root)
    monkeypatch.setattr(module, "documents", counted_documents)
    return found


@pytest.mark.parametrize("command", ["lint", "predict", "list"])
def test_a_command_builds_once_and_reads_nothing_twice(tmp_path: Path, command: str, counts: dict[str, int]) -> None:
    put(tmp_path, TREE)
    assert run(tmp_path, command, ".").code in (0, 1)
    assert counts == {"builds": 1, "documents": 0}


def test_a_document_that_is_not_built_is_searched(tmp_path: Path, counts: dict[str, int]) -> None:
    put(tmp_path, {**TREE, "all.yaml": f"{TREE['all.yaml']!s}---\n[Global]\n"})
    assert run(tmp_path, "lint", ".").code in (0, 1)
    assert counts["documents"] > 0


@pytest.mark.parametrize(
    ("text", "is_every"),
    [
        ("{0}", True),
        ("{0}---\n# nothing\n", True),
        ("{0}---\na: b\n", False),
        ("---\n- a\n---\n{0}", False),
    ],
)
def test_whether_every_document_of_a_file_is_built(text: str, is_every: bool) -> None:
    files = {"kustomization.yaml": "resources: [all.yaml]\n", "all.yaml": text.format(SERVICE.format("a"))}
    assert (EVERY in planned(files).documents_of("all.yaml")) is is_every


def test_more_than_what_is_kept_is_built_again_to_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, {**TREE, "all.yaml": str(TREE["all.yaml"]).replace("port: 80", "port: 99999")})
    kept = run(tmp_path, "lint", "--format", "json", ".")
    monkeypatch.setattr("ccmcheck.kustomize.plan.MOST_KEPT", 10)
    builds = planned({path: str(text) for path, text in TREE.items()})
    assert builds.bundles.built("kustomization.yaml", builds.bundles["kustomization.yaml"]) is None
    again = run(tmp_path, "lint", "--format", "json", ".")
    assert '"svc-invalid"' in kept.out
    assert [line for line in again.out.splitlines() if "seconds" not in line] == [
        line for line in kept.out.splitlines() if "seconds" not in line
    ]


def test_a_file_of_many_builds_that_are_too_large_is_parsed_twice_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccmcheck.kustomize.limits.OF_BUILD", BuildLimits(2, 10**7, 10**7))
    monkeypatch.setattr("ccmcheck.kustomize.plan.MOST_KEPT", 100)
    texts: list[str] = []

    def counted(text: str, base: int) -> object:
        texts.append(text)
        return parsed(text, base)

    monkeypatch.setattr("ccmcheck.kustomize.files.parsed", counted)
    files = {f"{number}/kustomization.yaml": "resources: [../all.yaml]\n" for number in range(20)}
    builds = planned({**files, "all.yaml": str(TREE["all.yaml"])})
    assert len(builds.too_large) == 20
    assert texts.count(str(TREE["all.yaml"])) <= 2
