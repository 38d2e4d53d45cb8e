"""A release of the Cinder or Manila CSI driver with bugs that a later one mends."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.release_bugs import bugs_of, told
from ccmcheck.conf.target_release import known_release
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Scalar, field, mappings

_IMAGE = lazy_regex(r"(?:^|/)((?:cinder|manila)-csi-plugin):(v\d{1,4}\.\d{1,4}\.\d{1,4})\Z")


def check(manifest: Manifest) -> Problems:
    """Look at the image of the node plug-in, which every installation of a driver has once; without it at another's."""
    if manifest.kind != "DaemonSet":
        near = [one for one in manifest.nearby(manifest.run_context.drivers) if one.subject[:4] != "Pod "]
        named = [(one.path, one.subject) for one in near if one.release]
        if named[:1] != [(manifest.path, manifest.subject)] or any(one.subject[:9] == "DaemonSet" for one in near):
            return
    for container in mappings(field(manifest.at("spec", "template", "spec"), "containers")):
        image = container.get("image")
        match = _IMAGE.search(image.value) if isinstance(image, Scalar) and not manifest.has_mark(image) else None
        release = known_release(match[2]) if match is not None else None
        if match is None or release is None or not isinstance(image, Scalar):
            continue
        bugs = sorted(bugs_of(match[1], release), key=lambda bug: (bug.minor, bool(bug.when)))
        if not all(bug.minor for bug in bugs):
            yield Problem(image.content, *told(bugs, release, match[1], command=f"ccmcheck explain {release.name}"))
