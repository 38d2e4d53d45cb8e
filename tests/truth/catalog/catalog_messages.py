"""The messages in the sources of the CCM, the Cinder CSI driver, cloud-provider and the in-tree provider, from their Go modules.

``.venv/bin/python tests/truth/catalog/catalog_messages.py CCM_DIR CLOUD_PROVIDER_DIR LEGACY_CLOUD_PROVIDERS_DIR`` prints the wordings
of errors, warnings and events with their places, as ``tests/catalog/recorded_messages.txt`` holds them for v1.36.0, v0.36.0 and
v0.22.0; the modules are those that ``go mod download`` unpacks.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

FOLDERS = (
    (
        "cmd/openstack-cloud-controller-manager", "pkg/openstack", "pkg/util/openstack", "pkg/util/errors", "pkg/client",
        "pkg/csi/cinder", "pkg/util/metadata", "pkg/util/mount", "pkg/util/blockdevice",
    ),
    ("controllers/service", "controllers/node", "controllers/nodelifecycle", "controllers/route", "app"),
    ("openstack",),
)  # fmt: skip
NOT_RUN = (
    "_test.go", "app/testing/", "app/webhooks.go", "app/builder.go", "app/controllermanager.go", "_mock.go", "fake.go",
    "_unsupported.go",
)  # fmt: skip
CALL = re.compile(
    r"\b(?:klog\.(?:V\(\d+\)\.)?(?:Error|Warning|Fatal|Exit)\w*|fmt\.Errorf|errors\.New|(?:\w+\.)*\w*[rR]ecorder\.Eventf?|"
    r"status\.Errorf?|panic)"
    r'\(([^"`]*?)("(?:[^"\\\n]|\\.)*"|`[^`]*`)'
)


def messages(root: Path, folders: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield place and wording, each wording once."""
    seen: set[str] = set()
    for path in (path for folder in folders for path in sorted((root / folder).rglob("*.go"))):
        place = path.relative_to(root).as_posix()
        if any(part in place for part in NOT_RUN):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for match in CALL.finditer(text):
            wording = match[2][1:-1].replace('\\"', '"')
            if wording and ")" not in match[1] and wording not in seen:
                seen.add(wording)
                yield f"{place}:{text.count(chr(10), 0, match.start()) + 1}", wording


if __name__ == "__main__":
    for source, parts in zip(map(Path, sys.argv[1:]), FOLDERS, strict=True):
        for at, said in messages(source, parts):
            print(f"{at}\t{said}")
