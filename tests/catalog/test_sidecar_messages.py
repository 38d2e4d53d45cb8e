"""What the sidecars of a CSI driver, the kubelet and the scheduler say of volumes leads to what is the matter."""

from __future__ import annotations

import pytest

from ccmcheck.catalog.messages import explained

POD = 'pod "default"/"mysql"'
LINES = {
    f"timeout expired waiting for volumes to attach/mount for {POD}. list of unattached/unmounted volumes=[data]": "volumesAttached",
    f"timeout expired waiting for volumes to attach or mount for {POD}. list of unmounted volumes=[data]": "volumesAttached",
    "Unable to attach or mount volumes: unmounted volumes=[d], unattached volumes=[d k]: timed out waiting for the condition": (
        "volumesAttached"
    ),
    "unmounted volumes=[d], unattached volumes=[], failed to process volumes=[]: context deadline exceeded": "volumesAttached",
    'pv "pvc-1" node affinity doesn\'t match node "w-1": no matching NodeSelectorTerms': "nodes of another zone",
    "0/3 nodes are available: 3 node(s) didn't match PersistentVolume's node affinity.": "nodes of another zone",
    'error updating node: timed out waiting for the condition; caused by: detected topology value collision: driver reported "a":"b" but '
    'existing label is "a":"c"': "another zone than its node plug-in reports",
    'running PreBind plugin "VolumeBinding": binding volumes: timed out waiting for the condition': "the provisioner has not made it",
    "waiting for first consumer to be created before binding": "Without such a pod this is no fault",
    "claim Selector is not supported": "has a `selector`",
    "failed to take snapshot x without a snapshot class": "names no VolumeSnapshotClass",
    "Failed to list v1 volumesnapshots with error=the server could not find the requested resource": "(CRDs)",
    "cannot find CSI PersistentVolumeSource for volume pvc-1": "plug-in inside Kubernetes",
    'MountVolume.WaitForAttach failed for volume "pvc-1" : volume attachment is being deleted': "on its way out",
    "Failed to watch *v1beta1.CSINode: the server could not find the requested resource": "older than this Kubernetes",
    "kubelet-registration-path is a required parameter": "was given no `--kubelet-registration-path`",
    "unrecognized feature gate: CSIMigrationOpenStack": "does not know a feature gate",
    "Warning  FailedMount  MountVolume.MountDevice failed for volume: mount failed: exit status 32 unknown filesystem type 'xfs'": (
        "does not know the file system"
    ),
    "retrieving availability zone from MetaData service failed with error Get http://169.254.169.254/openstack": "Before 1.19",
    "x509: failed to load system roots and no roots provided": "/usr/share/ca-certificates",
}


@pytest.mark.parametrize(("line", "words"), LINES.items())
def test_a_line_leads_to_what_is_the_matter(line: str, words: str) -> None:
    assert any(words in message.means for message in explained(line))


@pytest.mark.parametrize(
    "line", ["volume claimed", "the attachment is there", "SnapshotReady snapshot is ready", "csi-provisioner started"]
)
def test_what_is_well_is_not_explained(line: str) -> None:
    assert explained(line) == ()
