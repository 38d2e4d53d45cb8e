"""Keys and files whose names say what they are for: a cloud.conf, a template."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ccmcheck.base.lazy_regex import lazy_regex

_CLOUD_CONF_KEYS = frozenset({"cloud.conf", "cloudprovider.conf", "cloud-provider.conf"})
_OTHER_KEYS = frozenset({"cloud-config", "cloud-config.conf", "cloudconfig"})
_CCM_OBJECT = lazy_regex(r"openstack|\bo?ccm\b|cloud-controller", re.IGNORECASE)

TEMPLATE_SUFFIXES = frozenset(
    ("tmpl", "tpl", "template", "tftpl", "j2", "jinja", "jinja2", "gotmpl", "erb", "mustache")
)
TEMPLATE_FOLDERS = frozenset(("template", "templates"))


def is_cloud_conf_key(key: str, object_name: str = "") -> bool:
    """Whether a key of a Secret or ConfigMap is one under which the CCM's file is kept.

    The object's name decides on keys that others use too.
    """
    return key in _CLOUD_CONF_KEYS or (key in _OTHER_KEYS and _CCM_OBJECT.search(object_name) is not None)


def is_template(path: str, named: Sequence[str] = ()) -> bool:
    """Whether a file is a template by its name or its folder: ``cloud.conf.tmpl``, ``templates/secret.yaml``.

    Args:
        path: The file.
        named: What the user named; of the path of a file below it, only the rest counts.
    """
    *folders, name = path.replace("\\", "/").lower().split("/")
    if not TEMPLATE_FOLDERS.isdisjoint(folders):
        top = next((one for one in named if path.startswith(f"{one.rstrip('/')}/")), "")
        folders = folders[top.rstrip("/").count("/") + 1 :] if top else folders
    *_, inner, last = ["", "", *name.split(".")[1:]]
    return (
        name in TEMPLATE_FOLDERS
        or last in TEMPLATE_SUFFIXES
        or (inner in TEMPLATE_SUFFIXES and last.isascii() and last.isalpha())
        or not TEMPLATE_FOLDERS.isdisjoint(folders)
    )
