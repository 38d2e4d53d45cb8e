"""Where a piece of evidence can be read: what becomes a link, and where it leads."""

from __future__ import annotations

import pytest

from ccmcheck.report.document.links import linked

GITHUB = "https://github.com"
CPO = f"{GITHUB}/kubernetes/cloud-provider-openstack"
OCTAVIA = f"{GITHUB}/openstack/octavia"


def links(text: str) -> dict[str, str]:
    parts = list(linked(text))
    assert "".join(part for part, _ in parts) == text
    return {part: url for part, url in parts if url}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "kubernetes/cloud-provider-openstack#986 (8c02748fa), #763",
            {
                "kubernetes/cloud-provider-openstack#986": f"{CPO}/issues/986",
                "8c02748fa": f"{CPO}/commit/8c02748fa",
                "#763": f"{CPO}/issues/763",
            },
        ),
        (
            "kubernetes/cloud-provider-openstack pkg/openstack/openstack.go ReadConfig; #986",
            {
                "kubernetes/cloud-provider-openstack pkg/openstack/openstack.go": (
                    f"{CPO}/blob/HEAD/pkg/openstack/openstack.go"
                ),
                "#986": f"{CPO}/issues/986",
            },
        ),
        (
            "openstack/octavia octavia/common/config.py (c2d2fc37c912, 2023-03-07)",
            {
                "openstack/octavia octavia/common/config.py": f"{OCTAVIA}/blob/c2d2fc37c912/octavia/common/config.py",
                "c2d2fc37c912": f"{OCTAVIA}/commit/c2d2fc37c912",
            },
        ),
        ("openstack/octavia 19.0.0, run", {"openstack/octavia 19.0.0": f"{OCTAVIA}/tree/19.0.0"}),
        ("octavia 19.0.0, run", {"octavia 19.0.0": f"{OCTAVIA}/tree/19.0.0"}),
        (
            "kubernetes/cloud-provider-openstack v1.26.0",
            {"kubernetes/cloud-provider-openstack v1.26.0": f"{CPO}/tree/v1.26.0"},
        ),
        ("openstack/octavia commit e320491", {"openstack/octavia commit e320491": f"{OCTAVIA}/commit/e320491"}),
        (
            "kubernetes.io/docs/reference/networking/virtual-ips; KEP-3458",
            {
                "kubernetes.io/docs/reference/networking/virtual-ips": (
                    "https://kubernetes.io/docs/reference/networking/virtual-ips/"
                ),
                "KEP-3458": f"{GITHUB}/kubernetes/enhancements/issues/3458",
            },
        ),
        ("LP#1997418", {"LP#1997418": "https://bugs.launchpad.net/bugs/1997418"}),
    ],
)
def test_a_source_leads_to_where_it_can_be_read(text: str, found: dict[str, str]) -> None:
    assert links(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "HAProxy 2.6 on Octavia's rendered configuration, measured",
        "k8s.io/cloud-provider v0.27 controllers/service/controller.go",
        "the table of what others set",
        "(deadbeef)",
        "a/b facade",
        "prod/web prod/../../x.y",
        "clusters/prod/web.yaml 10.0.0.0/24",
        "#12",
    ],
)
def test_what_only_looks_like_a_source_stays_text(text: str) -> None:
    assert links(text) == {}
