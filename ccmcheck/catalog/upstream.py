"""Which files are unchanged copies of cloud-provider-openstack's own manifests."""

from __future__ import annotations


def is_upstream_copy(path: str, data: bytes) -> bool:
    """Whether a file lies where upstream has it, and holds what it holds at one of the tags.

    Args:
        path: The file.
        data: Its bytes.
    """
    folder, _, name = path.replace("\\", "/").rpartition("/")
    if "manifests/" not in folder:
        return False
    from hashlib import sha256

    from ccmcheck.catalog.data.upstream_manifests import FOLDERS, UNCHANGED

    if not f"{folder}/".endswith(FOLDERS) or name not in UNCHANGED:
        return False
    return sha256(data.replace(b"\r\n", b"\n").strip()).hexdigest()[:16] in UNCHANGED[name].split()
