"""Renders the CCM's chart with ``helm template``, every version, and compares with the workload that ccmcheck judges.

The charts are those of the tags in its repository: a git directory that ``--repository DIR`` names, else a clone. Where none
can be had, and with ``--sample``, those in the Go modules of some releases are taken. ``--record`` writes the answers for
everyday tests.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import yaml
from chart_generate import values as generated
from chart_ours import judged, summary

HERE = Path(__file__).resolve().parent

COUNT, SAMPLE, RECORDED, SEED = 20, 3, 1, 7
RECORDS = HERE.parents[1] / "carriers" / "data" / "ccm_chart.jsonl"
SKIPPED = 77
MODULE = "k8s.io/cloud-provider-openstack"
TAGS = ("v1.27.3", "v1.28.1", "v1.29.0", "v1.30.0", "v1.31.2", "v1.32.0", "v1.33.1", "v1.34.1", "v1.35.0", "v1.36.0")
NAME = "openstack-cloud-controller-manager"
REPOSITORY = "https://github.com/kubernetes/cloud-provider-openstack"
_DEPENDENCIES = re.compile(r"^dependencies:\n(?:[ -].*\n)*", re.MULTILINE)


def helm_program() -> str | None:
    """The real helm; None without one."""
    own = Path.home() / "go/bin/helm"
    return shutil.which("helm") or (str(own) if own.exists() else None)


def of_modules(into: Path) -> None:
    """The charts in the modules that Go's proxy has."""
    for tag in TAGS:
        command = ["go", "mod", "download", "-json", f"{MODULE}@{tag}"]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300, env=None)
        if done.returncode:
            continue
        prefix = f"{MODULE}@{tag}/charts/{NAME}/"
        with zipfile.ZipFile(json.loads(done.stdout)["Zip"]) as module:
            names = [name for name in module.namelist() if name.startswith(prefix)]
            for name in names:
                target = into / tag / name.removeprefix(prefix)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(module.read(name))


def of_repository(repository: Path, into: Path) -> None:
    """The charts at the tags of their repository."""
    git = ["git", f"--git-dir={repository}"]
    names = subprocess.run([*git, "tag", "--list", f"{NAME}-*"], check=False, capture_output=True, text=True).stdout
    for name in names.split():
        done = subprocess.run([*git, "archive", name, f"charts/{NAME}"], check=False, capture_output=True)
        if done.returncode == 0:
            with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
                archive.extractall(into / name, filter="data")


def cloned(into: Path) -> Path | None:
    """A clone of the charts' repository, without the contents of most commits; None where it cannot be had."""
    command = ["git", "clone", "--quiet", "--bare", "--filter=blob:none", REPOSITORY, str(into)]
    try:
        done = subprocess.run(command, check=False, capture_output=True, timeout=300)
    except subprocess.TimeoutExpired:
        return None
    return into if done.returncode == 0 else None


def charts(folder: Path, into: Path) -> dict[str, Path]:
    """Copies of the charts by their versions, which need no other chart: that gives labels alone."""
    found = {}
    for path in sorted(folder.rglob("Chart.yaml")):
        version = str(yaml.safe_load(path.read_text())["version"])
        copy = into / version
        shutil.copytree(path.parent, copy)
        chart = copy / "Chart.yaml"
        chart.write_text(_DEPENDENCIES.sub("", chart.read_text() + "\n"))
        (copy / "templates" / "_common.tpl").write_text('{{ define "common.labels.standard" }}a: b{{ end }}\n')
        found[version] = copy
    return found


def rendered(helm: str, folder: Path, values: dict[str, Any]) -> dict[str, Any] | None:
    """What Helm makes of values; None where the chart refuses them."""
    command = [helm, "template", "rel", str(folder), "--namespace", "kube-system", "-f", "-"]
    done = subprocess.run(command, input=json.dumps(values), check=False, capture_output=True, text=True, timeout=120)
    if done.returncode:
        return None
    objects = [one for one in yaml.load_all(done.stdout, yaml.CSafeLoader) if isinstance(one, dict)]
    by_kind = {one["kind"]: one for one in objects}
    conf = None
    if "Secret" in by_kind:
        import base64

        conf = base64.b64decode(by_kind["Secret"]["data"]["cloud.conf"]).decode()
    return summary(by_kind["DaemonSet"], conf, by_kind["ClusterRole"])


def main() -> int:
    """Run the comparison; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--repository", type=Path)
    asked = parser.parse_args()
    helm = helm_program()
    if helm is None:
        print("skipped: there is no helm")
        return SKIPPED
    seed = SEED if asked.record else asked.seed if asked.seed is not None else random.SystemRandom().randrange(10**9)
    count = RECORDED if asked.record else SAMPLE if asked.sample else COUNT
    passed = failed = 0
    records = []
    with tempfile.TemporaryDirectory() as temporary:
        given = Path(temporary) / "given"
        repository = asked.repository or (None if asked.sample else cloned(Path(temporary) / "clone"))
        if repository is not None:
            of_repository(repository, given)
        else:
            of_modules(given)
        every = charts(given, Path(temporary) / "copies")
        print(f"{len(every)} versions of the chart, seed {seed}")
        for version, folder in every.items():
            for number in range(count):
                values = generated(random.Random(f"{seed} {version} {number}"))  # noqa: S311 - a test's values
                theirs = rendered(helm, folder, values)
                if theirs is None:
                    continue
                records.append(json.dumps({"version": version, "values": values, "made": theirs}, sort_keys=True))
                ours = judged(version, values)
                theirs = {name: value for name, value in theirs.items() if name in ours or name != "image"}
                same = json.loads(json.dumps(ours)) == json.loads(json.dumps(theirs))
                passed, failed = passed + same, failed + (not same)
                if not same:
                    differ = [name for name in theirs if ours.get(name) != theirs[name]]
                    print(f"seed {seed}, {version} {number}: {json.dumps(values)}")
                    for name in differ:
                        print(f"  {name}\n    helm {theirs[name]}\n    ours {ours.get(name)}")
    if not passed + failed:
        print("skipped: no chart can be had here")
        return SKIPPED
    if asked.record:
        RECORDS.parent.mkdir(parents=True, exist_ok=True)
        RECORDS.write_text("\n".join(records) + "\n", encoding="utf-8")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
