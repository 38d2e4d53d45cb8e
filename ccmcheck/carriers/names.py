"""Keys and files whose names say what they are for: a cloud.conf, a template."""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex

_CLOUD_CONF_KEYS = frozenset({"cloud.conf", "cloudprovider.conf", "cloud-provider.conf"})
_OTHER_KEYS = frozenset({"cloud-config", "cloud-config.conf", "cloudconfig"})
_CCM_OBJECT = lazy_regex(r"openstack|\bo?ccm\b|cloud-controller", re.IGNORECASE)

_TEMPLATE_SUFFIXES = frozenset(
    ("tmpl", "tpl", "template", "tftpl", "j2", "jinja", "jinja2", "gotmpl", "erb", "mustache")
)
_TEMPLATE_FOLDERS = frozenset(("template", "templates"))


def is_cloud_conf_key(key: str, object_name: str = "") -> bool:
    """Whether a key of a Secret or ConfigMap is one under which the CCM's file is kept.

    The object's name decides on keys that others use too.
    """
    return key in _CLOUD_CONF_KEYS or (key in _OTHER_KEYS and _CCM_OBJECT.search(object_name) is not None)


def is_template(path: str) -> bool:
    """Whether a file is a template by its name or its folder: ``cloud.conf.tmpl``, ``templates/secret.yaml``."""
    *folders, name = path.replace("\\", "/").lower().split("/")
    *_, inner, last = ["", "", *name.split(".")[1:]]
    return (
        name in _TEMPLATE_FOLDERS
        or last in _TEMPLATE_SUFFIXES
        or (inner in _TEMPLATE_SUFFIXES and last.isascii() and last.isalpha())
        or not _TEMPLATE_FOLDERS.isdisjoint(folders)
    )
