"""Repositories that name programs, lead out, or hold what is no file: nothing runs, nothing outside is shown or written."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from attack_judge import hits, told
from command_line import FATAL, RIGHT, git, put

PRIVATE = "RegionOfSomebodyElse"
MARK = "ran"
_SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n"


@cache
def _template() -> Path:
    """A repository of two commits and a dirty file, beside a private one and a victim."""
    top = Path(tempfile.mkdtemp(prefix="ccmcheck-attack-"))
    private = FATAL.replace("RegionOne", PRIVATE)
    values = f"cloudConfig: {{loadBalancer: {{lb-provider: {PRIVATE}, monitor-delay: 3}}}}\nexternal_openstack_lbaas_provider: {PRIVATE}\n"
    put(top, {"private/values.yaml": values, "private/Chart.yaml": "apiVersion: v2\nname: x\n"})
    put(top, {"victim": "keep me", "private/cloud.conf": private, "repo/cloud.conf": RIGHT, "repo/svc.yaml": _SERVICE})
    for folder in ("private", "repo"):
        git(top / folder, "init", "-q")
        git(top / folder, "add", ".")
        git(top / folder, "commit", "-q", "-m", "base")
    put(
        top,
        {"repo/cloud.conf": FATAL, "repo/.gitattributes": "* filter=evil diff=evil\n", "repo/new/cloud.conf": RIGHT},
    )
    git(top / "repo", "add", ".")
    git(top / "repo", "commit", "-q", "-m", "topic")
    put(top, {"repo/cloud.conf": FATAL + "# dirty\n"})
    return top


def _link(at: str, to: str) -> Callable[[Path], None]:
    def change(top: Path) -> None:
        path = top / "repo" / at
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(to.replace("TOP", str(top)))

    return change


def _pipe(at: str) -> Callable[[Path], None]:
    def change(top: Path) -> None:
        path = top / "repo" / at
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path)

    return change


def _text(at: str, text: str) -> Callable[[Path], None]:
    def change(top: Path) -> None:
        path = top / "repo" / at
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("TOP", str(top)))

    return change


def _config(*names: str) -> Callable[[Path], None]:
    """Variables of git that name a program, each of which leaves a mark."""

    def change(top: Path) -> None:
        program = top / "program.sh"
        program.write_text(f"#!/bin/sh\ntouch '{top}/{MARK}'\nexit 1\n")
        program.chmod(0o755)
        for hook in ("post-index-change", "reference-transaction", "post-checkout"):
            shutil.copy(program, top / "repo/.git/hooks" / hook)
        for name in names:
            _set(top, name, str(program))

    return change


def _set(top: Path, name: str, value: str) -> None:
    """Set a variable of git, which waits for ever where the other change left it a pipe."""
    subprocess.run(["git", "config", name, value], cwd=top / "repo", check=True, timeout=3)


def _packed(top: Path) -> None:
    """Objects that are gone, whose pack comes from a promisor that would be asked."""
    _config("remote.origin.uploadpack", "core.sshCommand")(top)
    for name, value in (
        ("remote.origin.url", "ext::sh -c touch% TOP/ran"), ("remote.origin.promisor", "true"), ("extensions.partialClone", "origin"),
    ):  # fmt: skip
        _set(top, name, value.replace("TOP", str(top)))
    for folder in sorted((top / "repo/.git/objects").glob("??"))[:3]:
        shutil.rmtree(folder)


_CHART = "openstack-cloud-controller-manager"
_APPLICATION = f"""\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {{name: a}}
spec:
  generators: [{{git: {{files: [{{path: ../private/*.yaml}}, {{path: '**/*.yaml'}}], directories: [{{path: ../*}}]}}}}]
  template:
    metadata: {{name: '{{{{cloudConfig.loadBalancer.lb-provider}}}}'}}
    spec:
      source:
        chart: {_CHART}
        helm:
          valueFiles: [../private/values.yaml, TOP/private/values.yaml, new/../../private/values.yaml, '{{{{path}}}}/values.yaml']
          parameters: [{{name: cloudConfig.global.region, value: '{{{{cloudConfig.loadBalancer.lb-provider}}}}'}}]
"""

CHANGES: dict[str, Callable[[Path], None]] = {
    "programs": _config("core.fsmonitor", "core.pager", "core.editor", "core.askPass", "core.gitProxy", "diff.external"),
    "filters": _config("filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv", "diff.evil.command"),
    "ssh and aliases": _config("core.sshCommand", "alias.log", "alias.ls-files", "credential.helper", "gpg.program"),
    "an include": _text(".git/config", "[core]\n\tbare = false\n[include]\n\tpath = TOP/private/.git/config\n"),
    "a partial clone": _packed,
    "a .git file": _text(".git", "gitdir: TOP/private/.git\n"),
    "a .git link": _link(".git", "TOP/private/.git"),
    "alternates": _text(".git/objects/info/alternates", "TOP/private/.git/objects\n"),
    "alternates of alternates": _text(".git/objects/info/alternates", "../../../../private/.git/objects\n"),
    "a common folder": _text(".git/commondir", "../../private/.git\n"),
    "objects elsewhere": _link(".git/objects", "TOP/private/.git/objects"),
    "an index elsewhere": _link(".git/index", "TOP/private/.git/index"),
    "refs elsewhere": _link(".git/refs", "TOP/private/.git/refs"),
    "HEAD elsewhere": _link(".git/HEAD", "TOP/private/.git/HEAD"),
    "HEAD is a pipe": _pipe(".git/HEAD"),
    "the index is a pipe": _pipe(".git/index"),
    "a ref is a pipe": _pipe(".git/refs/heads/main"),
    "packed refs are a pipe": _pipe(".git/packed-refs"),
    "a commit graph is a pipe": _pipe(".git/objects/info/commit-graph"),
    "alternates are a pipe": _pipe(".git/objects/info/alternates"),
    "a replacement": _text(".git/refs/replace/0000000000000000000000000000000000000000", "0" * 40 + "\n"),
    "a file elsewhere": _link("linked.conf", "TOP/private/cloud.conf"),
    "a folder elsewhere": _link("linked", "TOP/private"),
    "the file is a pipe": _pipe("pipe/cloud.conf"),
    "the configuration elsewhere": _link("ccmcheck.toml", "TOP/private/cloud.conf"),
    "a configuration that extends": _text("ccmcheck.toml", 'extends = ["TOP/private/cloud.conf"]\n'),
    "a kustomization that leads out": _text("kustomization.yaml", "resources: [svc.yaml, ../private/cloud.conf, ../private]\n"),
    "a generator that leads out": _text(
        "kustomization.yaml", "secretGenerator:\n- name: cloud-config\n  files: [cloud.conf=../private/cloud.conf]\n"
    ),
    "values of an Application that lead out": _text("app.yaml", _APPLICATION),
    "values of a helmfile that lead out": _text(
        "helmfile.yaml",
        "bases: [../private/values.yaml]\nenvironments: {default: {values: [../private/values.yaml]}}\nreleases:\n"
        f"- {{name: a, chart: ../private, values: [../private/values.yaml, TOP/private/values.yaml]}}\n"
        f"- {{name: b, chart: a/{_CHART}, values: [../private/values.yaml, new/../../private/values.yaml]}}\n",
    ),
    "values in HCL that lead out": _text(
        "main.tf",
        f'resource "helm_release" "ccm" {{\n  chart = "{_CHART}"\n  values = [file("${{path.module}}/../private/values.yaml"), '
        'file("TOP/private/values.yaml")]\n}\n',
    ),
    "a chart of charts that leads out": _text(
        "Chart.yaml", f"apiVersion: v2\nname: u\ndependencies: [{{name: {_CHART}, repository: 'file://../private', version: 1}}]\n"
    ),
    "variables of a group elsewhere": _link("group_vars/all.yml", "TOP/private/values.yaml"),
    "values elsewhere": _link("values.yaml", "TOP/private/values.yaml"),
    "the output elsewhere": _link("out.json", "../victim"),
    "an ignore file that is a pipe": _pipe("new/.gitignore"),
}  # fmt: skip
COMMANDS = tuple(
    tuple(line.split())
    for line in (
        "lint .", "lint --format json -o out.json .", "lint --diff-base HEAD~1 .", "lint --config-from HEAD~1 .", "list -v .", "fix --diff .",
        "fix --write .", "predict .", "review --git HEAD~1", "review --git HEAD~1..HEAD --format json", "upgrade . --from 1.25",
        "lint linked.conf", "show linked/cloud.conf", "read linked.conf", "lint --write-baseline out.json .", "explain create-monitor .",
    )
)  # fmt: skip


def size() -> int:
    """How many there are: each change with each command, and pairs of changes."""
    return len(CHANGES) * len(COMMANDS) * len(CHANGES)


def _made(number: int) -> tuple[tuple[str, ...], list[str]]:
    number, command = divmod(number, len(COMMANDS))
    chosen = {list(CHANGES)[one]: None for one in divmod(number, len(CHANGES))}
    return COMMANDS[command], list(chosen)


def attack(number: int, folder: Path) -> list[str]:
    """Try one; what is wrong with it."""
    words, changes = _made(number)
    top = folder / "top"
    shutil.copytree(_template(), top, symlinks=True)
    for change in changes:
        try:
            CHANGES[change](top)
        except (OSError, subprocess.SubprocessError):  # the other change left nothing to change
            continue
    run = told(top / "repo", words, GIT_CONFIG_NOSYSTEM="1")
    wrong = list(hits(run, words, (PRIVATE,)))
    if (top / MARK).exists():
        wrong.append("a program of the checkout ran")
    if (top / "victim").read_text() != "keep me":
        wrong.append("a file outside was written")
    if PRIVATE not in (top / "private/cloud.conf").read_text():
        wrong.append("a repository outside was changed")
    return wrong


def described(number: int) -> str:
    """What it is."""
    words, changes = _made(number)
    return f"{' '.join(words)}: {' and '.join(changes)}"
