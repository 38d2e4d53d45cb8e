"""Renders charts of ingress controllers with ``helm template``, and compares their Services with those that ccmcheck finds.

``--charts DIR`` names a folder with the charts, each under its name; what is not there is downloaded from the charts' own
repositories. ``--record`` writes the answers for everyday tests.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml
from ingress_generate import values as generated
from ingress_ours import LOAD_BALANCER, services, summary

HERE = Path(__file__).resolve().parent

REPOSITORIES = {
    "ingress-nginx": "https://kubernetes.github.io/ingress-nginx",
    "traefik": "https://traefik.github.io/charts",
    "kubernetes-ingress": "https://haproxytech.github.io/helm-charts",
    "haproxy-ingress": "https://haproxy-ingress.github.io/charts",
    "gateway": "https://istio-release.storage.googleapis.com/charts",
    "cilium": "https://helm.cilium.io",
}
COUNT, SAMPLE, RECORDED, SEED = 60, 10, 30, 7
RECORDS = HERE.parents[1] / "carriers" / "data" / "ingress_charts.jsonl"
SKIPPED = 77
KUBERNETES = "1.34.0"


def helm_program() -> str | None:
    """The real helm; None without one."""
    own = Path.home() / "go/bin/helm"
    return shutil.which("helm") or (str(own) if own.exists() else None)


def chart_folder(helm: str, name: str, charts: Path) -> Path | None:
    """A chart, downloaded where it is not there; None where it cannot be had."""
    folder = charts / name
    if not folder.exists():
        command = [helm, "pull", name, "--repo", REPOSITORIES[name], "--untar", "--untardir", str(charts)]
        subprocess.run(command, check=False, capture_output=True, timeout=120)
    return folder if folder.exists() else None


def rendered(helm: str, folder: Path, values: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The Services of type LoadBalancer of a chart; None where it refuses the values."""
    command = [helm, "template", "rel", str(folder), "--kube-version", KUBERNETES, "-f", "-"]
    done = subprocess.run(command, input=json.dumps(values), check=False, capture_output=True, text=True, timeout=120)
    if done.returncode:
        return None
    objects = [one for one in yaml.load_all(done.stdout, yaml.CSafeLoader) if isinstance(one, dict)]
    found = [one for one in objects if one.get("kind") == "Service" and one["spec"].get("type") == LOAD_BALANCER]
    return sorted((summary(one) for one in found), key=str)


def main() -> int:
    """Run the comparison; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--charts", type=Path)
    asked = parser.parse_args()
    helm = helm_program()
    if helm is None:
        print("skipped: there is no helm")
        return SKIPPED
    seed = SEED if asked.record else asked.seed if asked.seed is not None else random.SystemRandom().randrange(10**9)
    count = RECORDED if asked.record else SAMPLE if asked.sample else COUNT
    passed = failed = 0
    records = []
    with tempfile.TemporaryDirectory() as downloads:
        for name in REPOSITORIES:
            folder = chart_folder(helm, name, asked.charts or Path(downloads))
            if folder is None:
                print(f"{name} cannot be had here")
                continue
            for number in range(count):
                values = generated(random.Random(f"{seed} {name} {number}"), name)  # noqa: S311 - a test's values
                theirs = rendered(helm, folder, values)
                if theirs is None:
                    continue
                records.append(json.dumps({"chart": name, "values": values, "services": theirs}, sort_keys=True))
                ours = services(name, values)
                passed, failed = passed + (theirs == ours), failed + (theirs != ours)
                if theirs != ours:
                    print(f"seed {seed}, {name} {number}: {json.dumps(values)}\n  helm {theirs}\n  ours {ours}")
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
