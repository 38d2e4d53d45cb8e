"""Files of cloud-provider-openstack's own folder manifests/, as they are at its tags.

Who keeps a copy of that folder deploys nothing by it; who changes a file means it.
Source: kubernetes/cloud-provider-openstack manifests/ at the tags v1.17.0 to v1.36.0 that are Go modules.
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_table

FOLDERS = ("manifests/controller-manager/", "manifests/cinder-csi-plugin/")

UNCHANGED: dict[str, str] = dict(read_table(__file__, "upstream_manifests.tsv"))
"""By a file's name, the first half of the SHA-256 of what it holds, without blank ends and with line ends as on Linux."""

GONE: dict[str, str] = dict(read_table(__file__, "upstream_files.tsv"))
"""Files, or folders, that the branch master has no more, and what there is instead."""
BRANCH = ("cloud-provider-openstack/master/", "cloud-provider-openstack/refs/heads/master/")
"""What a URL of a file of the branch has in it."""
