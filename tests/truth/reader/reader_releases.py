"""The releases whose own code is run, and how each is built.

Each is the first tag of its minor release that the public Go module proxy gives out. It gives none of 1.15, 1.16 and 1.22
to 1.25 of cloud-provider-openstack ("This module version is not available").

The checksums were computed from the tags' trees in git, as Go computes them; for all but 1.27, 1.28, 1.30, 1.32 and 1.33
the public checksum database has the same. v1.28.0 is the commit before the one that the tag names today: it was moved, and
the proxy keeps what it saw first (the difference is one shell script).
"""

from __future__ import annotations

from typing import NamedTuple

CCM = "ccm"
CSI = "cinder-csi-plugin"
KMS = "barbican-kms-plugin"
LEGACY = "legacy-in-tree"


class Buildable(NamedTuple):
    """One release that can be built.

    Attributes:
        module: The Go module.
        tag: Its version.
        build_tags: Which of the oracle's files fit: packages and function names have moved over the years.
        module_sum: Checksum of the module, as in go.sum.
        gomod_sum: Checksum of its go.mod, as in go.sum.
        consumers: The programs that read a cloud.conf with this module.
        empty_modules: Modules that somebody requires but nothing here imports, and that no proxy has any more. An empty
            one takes their place.
    """

    module: str
    tag: str
    build_tags: tuple[str, ...]
    module_sum: str
    gomod_sum: str
    consumers: tuple[str, ...]
    empty_modules: tuple[str, ...] = ()

    @property
    def sums(self) -> str:
        """The two lines for go.sum."""
        return f"{self.module} {self.tag} h1:{self.module_sum}\n{self.module} {self.tag}/go.mod h1:{self.gomod_sum}\n"

    @property
    def minor(self) -> tuple[int, int]:
        """Major and minor of the Kubernetes release it belongs to."""
        _, minor, _ = self.tag.split(".")
        return 1, int(minor)

    @property
    def release(self) -> str:
        """The name that ccmcheck knows it by; the in-tree provider is only known by its minor release."""
        return self.tag if self.module == _PROVIDER else f"1.{self.minor[1]}"


_PROVIDER = "k8s.io/cloud-provider-openstack"
_IN_TREE = "k8s.io/legacy-cloud-providers"
_EARLY = ("ccm_early", "csi_early", "kms")
_MIDDLE = ("ccm_late", "csi_early", "kms")
_LATE = ("ccm_late", "csi_late", "kms")


def _provider(tag: str, build_tags: tuple[str, ...], sums: str, *empty_modules: str) -> Buildable:
    module_sum, gomod_sum = sums.split()
    return Buildable(_PROVIDER, tag, build_tags, module_sum, gomod_sum, (CCM, CSI, KMS), empty_modules)


def _in_tree(tag: str, sums: str) -> Buildable:
    module_sum, gomod_sum = sums.split()
    return Buildable(_IN_TREE, tag, ("legacy",), module_sum, gomod_sum, (LEGACY,))


BUILDABLE: tuple[Buildable, ...] = (
    _in_tree("v0.17.0", "ITm7sUthpxQyP96MU7K4Ra9M9M1k9eywUWv9IiTaxzc= DdzaepJ3RtRy+e5YhNtrCYwlgyK87j/5+Yfp0L9Syp8="),
    _in_tree("v0.20.0", "bF2WKO3ZWEjBvCv9RJxsxOAGrmQHWSgTiDBjK8uW2iw= 1jEkaU7h9+b1EYdfWDBvhFAr+QpRfUjQfK+dGhxPGfA="),
    _in_tree("v0.24.0", "fk5EC+/TWHyJWGE1N8y4W5RPQ1vhPlPAB55WvCSTtbc= j2gujMUYBEtbYfJaL8JUOgInzERm9fxJwEaOkZcnEUk="),
    _in_tree("v0.25.0", "c+boKaCw/2ZzvA8/XgTIeDrGUJJ2Ucy+jLJFf02+huE= bnmUgHHeBmK3M9JgQzu+ne6UCUVURDzkpF0Y7VeypVE="),
    _provider(
        "v1.17.0",
        _EARLY,
        "n6hkiJSekJEa2LIlu+1uGfMt5jwIvPO2qnx5tcJtlYo= 0pc0EbtR72bEHmhjKwzrY60oeiQzlCONjZeDe8DEgN8=",
        "vbom.ml/util",
    ),
    _provider(
        "v1.18.0",
        _EARLY,
        "v/ebjNEdx0hBaygsRohSS643f41lj2CwvapCbn+aLOs= 03202t5Sp+4Vmk6pxJ/hVH0fEkm9gMc/pku/QpkJQMQ=",
        "vbom.ml/util",
    ),
    _provider(
        "v1.19.3",
        _EARLY,
        "bEiNDX4UpR+e8VygmjUjD9WrqV3uqRxIK6mz6cjzaVw= J/X/tgKwUDtsrfdJ4aL0iEQLi/8chdbs4rAiYznYwPQ=",
        "vbom.ml/util",
    ),
    _provider(
        "v1.20.0", _EARLY, "kb6LGw6F5cXRaHcANsiNXjguH8LboAX2o/hWKFTZQPo= +ITp4mYAod+/IiQCzYKz92+Ns9VrYkkWdBmYVWSGwnI="
    ),
    _provider(
        "v1.21.0", _MIDDLE, "ZuSbMAw5v8c/SqKlLlHdCakOiRy4/1KKFz0A5U4ZcK4= N0Tnl9sMDSuW8CXJqT0XK8f/KSuQ1I0ClhOBgTAv3fc="
    ),
    _provider(
        "v1.26.0", _LATE, "TdB/hm1WQUUTfTk8+vivhb2K7uJVK8wp93sjEOKIyvQ= lQWNhQqCBWz3+nLwIotGalQ0sgEOeTOypyQcGx6/vLA="
    ),
    _provider(
        "v1.27.0", _LATE, "GSGiV1ENdu/D4/DPBLDlqxXGxFmv5LR8v+pRRd6DWJg= /v18y7ul2Zu5bmiqdcgHMhUCBBu9Hka3Bq70Rdt8Jjk="
    ),
    _provider(
        "v1.28.0", _LATE, "RDsvNIhdIHtKwhEiS1oEoNvrsE+k+wbfbmLTt5IGqRw= KSdyz/+VEPGMRdNQdGKeOvpbjoWrANngPPOUI5Bq0/o="
    ),
    _provider(
        "v1.29.0", _LATE, "sZL8WSEBZnHKtBvZw5+KAl958QCnS4+FTfbPd9eRq+E= vIQLIYKLqEbEXO2H4FtY+0QmV3lPzS2P5iRIMNr8x6k="
    ),
    _provider(
        "v1.30.0", _LATE, "SfITCugKt4VYOZSyDnggwRyuqox2DRXjU7AaUCMmPAY= sUW6cZzIyODbVIw9fj/JFYAAOfhoCxeohfw3fnGQYN0="
    ),
    _provider(
        "v1.31.2", _LATE, "qMbJvUkdpACXNuhadMMJlLUkDN47eJC9plpZ7F+Ltes= Y9uZIWGzclfEyXaGmYJWYbCaaVIaCulA593QQjaaA1c="
    ),
    _provider(
        "v1.32.0", _LATE, "OT6w6pdtw1vl27NITizdBUFw23ysiz+vPWFDxRtWeio= 71BTtfZU/OTOevcITmgNDuXz9+quavzCU214KrRuVXc="
    ),
    _provider(
        "v1.33.0", _LATE, "BNXCEAfFB8Fe3u6DTCGk5TwiUnNSsbk0AhfsTeC9b9s= qJB5vQPjfaHlqtFcuXQ0ysjDXif6MhW0qwYQ91lmmAE="
    ),
    _provider(
        "v1.34.1", _LATE, "lHHsRKlrW6vtWE9gZdbrksPiuxM7bcdtRb6mh11m+zQ= sTZyfuzLZWQd1Ou/GRpDoI+QqkG5em3y/51AvGCdSb0="
    ),
    _provider(
        "v1.35.0", _LATE, "zQuKVqOrHaEhVZJg3jftAN/UTLzd06ESVX1C3nefkg8= Cx5Lr0vDu4rAkcGdICFnHAKqrgdqL8+worTCbf2fAb4="
    ),
    _provider(
        "v1.36.0", _LATE, "CRv/S82TdP8M12Ox7ln0KK+Q4Xj+qUI39IAFwK25i/w= TogBNryi919wxnrJwWjpvyJ17MfKXA4O4wIjYMGp3dI="
    ),
)
NEWEST = BUILDABLE[-1]


def buildable(tag: str) -> Buildable:
    """The release of that tag.

    Args:
        tag: Such as ``v1.36.0``, or ``v0.25.0`` for the in-tree provider of 1.25.

    Raises:
        ValueError: There is none; the message lists the known tags.
    """
    for release in BUILDABLE:
        if release.tag == tag:
            return release
    known = ", ".join(release.tag for release in BUILDABLE)
    raise ValueError(f"{tag} is not among the releases that can be built: {known}")
