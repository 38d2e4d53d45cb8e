"""What a hostile checkout may make a build do: it ends within seconds, and what is not built is said once."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Done, put, run
from kustomize_ours import built

from ccmcheck.kustomize.build import Build
from ccmcheck.kustomize.files import Files
from ccmcheck.kustomize.limits import BuildLimits, BuildTooLarge, BuildWork
from ccmcheck.kustomize.plan import plan
from ccmcheck.kustomize.resource_list import Selector, requirements
from ccmcheck.layers.placed_values import Map, PlacedReader
from ccmcheck.yamlio import Mapping, documents

SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {{name: {}, labels: {{x: '1'}}}}\nspec: {{type: LoadBalancer, ports: [{{port: 80}}]}}\n---\n"
WEB = SERVICE.format("web")
TARGET = "  target: {kind: Service}\n"


def services(count: int) -> str:
    """Several Services."""
    return "".join(SERVICE.format(f"a{number}") for number in range(count))


def nested(depth: int, *, leaf: str) -> dict[str, str]:
    """Kustomizations of which each includes the one below it twice."""
    files = {
        "k/kustomization.yaml": "resources: [../b0, ../b0]\n",
        f"b{depth}/kustomization.yaml": leaf,
        f"b{depth}/web.yaml": WEB,
    }
    for level in range(depth):
        below = f"../b{level + 1}"
        files[f"b{level}/kustomization.yaml"] = f"resources: [{below}, {below}]\n"
    return files


def alone(text: str, objects: str = WEB, **files: str) -> dict[str, str]:
    """One kustomization of a file of objects."""
    return {"k/kustomization.yaml": f"resources: [web.yaml]\n{text}", "k/web.yaml": objects, **files}


def copies(count: int) -> str:
    """A JSON patch that doubles a value so many times."""
    operations = ["    - {op: add, path: /spec/x0, value: [x, x]}\n"]
    for number in range(1, count):
        operations += [f"    - {{op: add, path: /spec/x{number}, value: [0, 0]}}\n"] + [
            f"    - {{op: copy, from: /spec/x{number - 1}, path: /spec/x{number}/{place}}}\n" for place in (0, 1)
        ]
    return "".join(operations)


def deeper(count: int) -> str:
    """A JSON patch that puts a value that many levels deep."""
    value = "{a: " * 30 + "1" + "}" * 30
    path = "/spec"
    operations = []
    for _ in range(count):
        operations.append(f"    - {{op: add, path: {path}/a, value: {value}}}\n")
        path += "/a" * 30
    return "".join(operations)


TOO_LARGE: dict[str, dict[str, str]] = {
    "bases included twice each, empty": nested(30, leaf="resources: []\n"),
    "bases included twice each": nested(30, leaf="resources: [web.yaml]\n"),
    "a component again and again": {
        **alone("components:\n" + "- ../c\n" * 4_000, services(1_000)),
        "c/kustomization.yaml": "kind: Component\nnamespace: a\n",
    },
    "a long inline patch again and again": {
        **alone("components:\n" + "- ../c\n" * 1_000),
        "c/kustomization.yaml": "kind: Component\npatches:\n- patch: |-\n    " + "#" * 10_000 + "\n    {}\n" + TARGET,
    },
    "a long prefix on every name": alone(f"namePrefix: {'p' * 100_000}\n", services(1_000)),
    "a long tag that grows": alone(
        "images:\n" + f"- {{name: web, tagSuffix: {'x' * 1_000}}}\n" * 1_000,
        "kind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: 'web:1'}]}\n---\n" * 500,
    ),
    "patches without names on every object": alone(
        ("patches:\n" + "- patch: '[{op: add, path: /spec/x, value: 1}]'\n" + TARGET)
        + ("- patch: '[{op: test, path: /kind, value: Service}]'\n" + TARGET) * 1_000,
        services(1_000),
    ),
    "a file of variables again and again": alone(
        "configMapGenerator:\n" + "".join(f"- {{name: c{number}, envs: [e.env]}}\n" for number in range(1_000)),
        **{"k/e.env": "A=b\n" * 50_000},
    ),
    "patches of one name in many namespaces": alone(
        "patches:\n" + "- patch: '{apiVersion: v1, kind: Service, metadata: {name: web, namespace: none}}'\n" * 1_500,
        "".join(WEB.replace("name: web", f"name: web, namespace: n{number}") for number in range(1_500)),
    ),
}


@pytest.mark.part(of=3)
@pytest.mark.parametrize("files", TOO_LARGE.values(), ids=TOO_LARGE)
def test_a_build_that_multiplies_is_too_large(files: dict[str, str]) -> None:
    started = time.process_time()
    with pytest.raises(BuildTooLarge):
        Build(Files(files.get)).root("k/kustomization.yaml")
    assert time.process_time() - started < 30


@pytest.mark.ci
@pytest.mark.parametrize(
    "patch",
    [
        copies(60),
        deeper(40),
        "    - {op: add, path: " + "/spec/a" * 1_000 + ", value: 1}\n",
        "    - {op: add, path: /spec/ports/" + "9" * 4_000 + ", value: 1}\n",
        "    - {op: add, path: /spec/ports/99999999999999999999, value: 1}\n",
        "    - {op: replace, path: /spec/ports/99999999999999999999, value: 1}\n",
        "    - {op: remove, path: /spec/ports/-}\n",
        "    - {op: add, path: /spec/type/x, value: 1}\n",
        "    - {op: move, from: /spec, path: /spec/a}\n",
        "    - {op: add, path: '', value: 1}\n",
        "    - {op: copy, path: /spec/x}\n",
        "    - {op: [a], path: /spec/x}\n",
        '    - {op: add, path: "/spec/\\0", value: "\\uD800"}\n    - {op: add, path: /spec/none/x, value: 1}\n',
    ],
)
def test_a_json_patch_that_cannot_be_applied_makes_its_object_unknown(patch: str) -> None:
    files = alone("patches:\n" + TARGET.replace("  target", "- target") + "  patch: |-\n" + patch)
    started = time.process_time()
    assert built(files, "k/kustomization.yaml") == (
        {"Service /web": built(alone(""), "k/kustomization.yaml")[0]["Service /web"]},
        {"Service /web"},
    )
    assert time.process_time() - started < 10


def selector(**fields: str) -> Selector:
    """A target of a patch."""
    text = json.dumps(fields)
    (document,) = documents(text)
    tree = PlacedReader(text).read(document.root)  # type: ignore[union-attr, arg-type]
    assert isinstance(tree, Map)
    return Selector(tree)


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+b",
        "(a|a)(a|a)(a|a)b",
        ".*.*.*b",
        "a?a?a?aaa",
        "(" * 200 + "a" + ")" * 200,
        "((a))",
        "(a)*",
        "a{2,9}",
        "a{,9}",
        "(?:a)",
        "\\d+",
        "a**",
        "x." * 300,
    ],
)
def test_a_pattern_that_may_take_long_is_unknown(pattern: str) -> None:
    assert selector(name=pattern).is_unknown


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("web", {"web"}),
        ("web|api", {"web", "api"}),
        ("web-.*", {"web-1", "web-2"}),
        (".*-.*", {"web-1", "web-2"}),
        ("(web|api)-[0-9]", {"web-1", "web-2"}),
        ("^web$", {"web"}),
        ("web-1|.*i", {"web-1", "api"}),
        ("w.b", {"web"}),
        (".+b", {"web"}),
        ("web-?1", {"web-1"}),
        ("|".join(f"n{number}" for number in range(5_000)), {"n7"}),
    ],
)
def test_what_a_pattern_means(pattern: str, names: set[str]) -> None:
    everything = ["web", "api", "web-1", "web-2", "n7"]
    files = alone(
        f"patches:\n- target: {{name: '{pattern}'}}\n  patch: '[{{op: remove, path: /spec/ports}}]'\n",
        "".join(SERVICE.format(name) for name in everything),
    )
    objects, unknown = built(files, "k/kustomization.yaml")
    assert not unknown
    assert {name.partition("/")[2] for name, data in objects.items() if "ports" not in data["spec"]} == names  # type: ignore[index]


def test_a_long_name_is_not_tried_on_a_pattern() -> None:
    files = alone(
        "patches:\n- target: {name: '.*b.*'}\n  patch: '[{op: remove, path: /spec/ports}]'\n", SERVICE.format("a" * 300)
    )
    assert len(built(files, "k/kustomization.yaml")[1]) == 1


@pytest.mark.parametrize(
    "text", ["a" + " " * 50_000 + "x", "a in (" + "b," * 50_000, ("a in (b)," * 10_000) + "!", "a," * 50_000 + "("]
)
def test_a_label_selector_is_read_once_in_linear_time(text: str) -> None:
    started = time.process_time()
    assert requirements(text) is None
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        (" a = b , c in (d, e),!f , g!=h,i notin(),j", 6),
        ("a,", None),
        ("a b", None),
        ("(a)", None),
        ("a in b", None),
    ],
)
def test_what_a_label_selector_requires(text: str, count: int | None) -> None:
    found = requirements(text)
    assert (None if found is None else len(found)) == count


def test_a_path_that_is_none_is_not_read() -> None:
    odd = ['"\\0"', '"a\\0b/c"', '"\\uD800"', "a" * 10_000, "/".join("ab" for _ in range(100_000)), '"..\\0/x"']
    for text in odd:
        for field in (
            f"resources: [web.yaml, {text}]",
            f"components: [{text}]",
            f"patchesStrategicMerge: [{text}]",
            f"patches: [{{path: {text}, target: {{kind: Service}}}}]",
            f"configMapGenerator: [{{name: a, files: [{text}], envs: [{text}]}}]",
        ):
            files = {"k/kustomization.yaml": field + "\n", "k/web.yaml": WEB}
            assert len(Build(Files(files.get)).root("k/kustomization.yaml")) <= 2
            builds = plan(["k/kustomization.yaml"], reading(files), lambda *_: True, frozenset(files))
            assert not builds.too_large


def overlays(count: int, objects: int) -> dict[str, str]:
    """Overlays of one base."""
    files = {"base/kustomization.yaml": "resources: [web.yaml]\n", "base/web.yaml": services(objects)}
    for number in range(count):
        files[f"o{number}/kustomization.yaml"] = (
            "resources: [../base]\npatches: [{path: p.yaml, target: {kind: Service}}]\n"
        )
        files[f"o{number}/p.yaml"] = (
            "apiVersion: v1\nkind: Service\nmetadata: {name: a0}\nspec: {externalTrafficPolicy: Nonsense}\n"
        )
    return files


def reading(files: dict[str, str], counts: dict[str, int] | None = None) -> Callable[[str, str], str | None]:
    """Read files, and count how often each is read."""

    def read(_: str, path: str) -> str | None:
        if counts is not None:
            counts[path] = counts.get(path, 0) + 1
        return files.get(path)

    return read


def test_the_builds_of_a_run_have_one_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccmcheck.kustomize.plan.OF_RUN", BuildLimits(1_000, 10**7, 10**7))
    files = overlays(30, 100)
    builds = plan([path for path in files if "kust" in path], reading(files), lambda *_: True, frozenset(files))
    assert len(builds.bundles) == 10
    assert len(builds.too_large) == 20
    (failure,) = builds.failures
    assert "19 more kustomizations are not built either" in failure.message
    for name in ("base/web.yaml", "o29/p.yaml", "o29/kustomization.yaml"):
        assert -1 in builds.documents_of(name)  # nothing of them is judged alone


def test_a_kustomization_that_is_too_large_itself_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccmcheck.kustomize.limits.OF_BUILD", BuildLimits(1_000, 500, 10**7))
    files = {"kustomization.yaml": "resources:\n- web.yaml\n" + 100 * "# much\n", "web.yaml": WEB}
    files |= {"a/kustomization.yaml": "resources: [web.yaml]\n", "a/web.yaml": WEB}
    paths = [path for path in files if "kustomization" in path]
    builds = plan(
        paths, lambda _, path: files.get(path), lambda _, text: "LoadBalancer" in text or "#" in text, frozenset(files)
    )
    assert list(builds.too_large) == ["kustomization.yaml"]
    assert list(builds.bundles) == ["a/kustomization.yaml"]


def test_what_cannot_matter_is_not_built() -> None:
    files = {
        **overlays(3, 2),
        "x/kustomization.yaml": "resources: [../y]\n",
        "y/kustomization.yaml": "resources: [c.yaml]\n",
        "y/c.yaml": "kind: A\n",
    }
    builds = plan(
        [path for path in files if "kust" in path],
        reading(files),
        lambda _, text: "LoadBalancer" in text,
        frozenset(files),
    )
    assert set(builds.bundles) == {f"o{number}/kustomization.yaml" for number in range(3)}
    assert builds.documents_of("y/c.yaml") == frozenset()


def test_overlays_share_the_texts_of_their_files() -> None:
    files = overlays(20, 500)
    builds = plan([path for path in files if "kust" in path], reading(files), lambda *_: True, frozenset(files))
    texts = builds.bundles._texts
    assert sum(map(len, texts.values())) < 2 * sum(map(len, files.values()))
    assert builds.bundles["o7/kustomization.yaml"].count("externalTrafficPolicy") == 1
    with pytest.raises(KeyError):
        builds.bundles["none"]


def test_work_counts_in_the_run_too() -> None:
    whole = BuildWork(BuildLimits(3, 10, 10))
    BuildWork(BuildLimits(9, 9, 9), whole).step(6)
    with pytest.raises(BuildTooLarge):
        BuildWork(BuildLimits(9, 9, 9), whole).step(6)
    BuildWork(BuildLimits(9, 9, 9), whole).text(6)
    with pytest.raises(BuildTooLarge):
        BuildWork(BuildLimits(9, 9, 9), whole).text(6)
    with pytest.raises(BuildTooLarge):
        BuildWork(BuildLimits(0, 9, 9), whole).add_object()


@pytest.mark.ci
def test_what_is_too_large_is_said_once_and_the_rest_is_checked(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    bad = "apiVersion: v1\nkind: Service\nmetadata: {name: own}\nspec: {type: LoadBalancer, externalTrafficPolicy: Nonsense, ports: [{port: 80}]}\n"
    put(
        tmp_path,
        {
            **nested(30, leaf="resources: [web.yaml]\n"),
            "k/patch.yaml": "apiVersion: v1\nkind: Service\n",
            "other/own.yaml": bad,
        },
    )
    for arguments in (["lint"], ["lint", "--format=json"], ["predict"], ["fix", "--diff"]):
        done: Done = run(tmp_path, *arguments)
        assert done.code == 3, arguments
        assert (done.out + done.err).count("nothing of it is checked") == 1, arguments
        assert "Traceback" not in done.err
    assert "Nonsense" in run(tmp_path, "lint").out


def test_an_object_that_is_too_long_is_not_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("ccmcheck.layers.placed_writer.MOST_WRITTEN", 1_000)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    put(tmp_path, {**alone(f"commonLabels: {{a: {'b' * 2_000}}}\n")})
    assert "a kustomization builds is too large" in run(tmp_path, "lint").out


def test_aliases_that_multiply_a_long_text_are_not_read() -> None:
    text = f"kind: ConfigMap\nx: &a {'x' * 1_000_000}\ny: [{', '.join(['*a'] * 2_000)}]\n"
    (document,) = documents(text)
    assert isinstance(document.root, Mapping)  # type: ignore[union-attr]
    assert PlacedReader(text).try_read(document.root) is None  # type: ignore[union-attr]
