"""A Service that Kubernetes rejects.

What it does: finds fields of the wrong type, missing, duplicate or out-of-range ports, misspelt values, invalid names and
addresses, and unknown fields. A placeholder that was never filled in is an information in documents and examples, and so is
a field that only older versions of Kubernetes have, such as `topologyKeys`, unless `--kubernetes-version` says that it is gone.

Why: `kubectl apply` fails, and a GitOps controller retries forever; or the field is dropped and has no effect.

What the CCM does: it never sees the Service. `kubectl` rejects an unknown field; clients without strict validation silently
drop it.

Releases: all

Fix: writes a number without quotes, a string with quotes, a value or a field as Kubernetes spells it.

Fix safety: safe because the Service is rejected as it is, and only one correction is possible; unsafe for fields, which some
clients drop

Source: Kubernetes 1.36 pkg/apis/core/validation ValidateServiceCreate, pkg/registry/core/service, run; KEP-4858, KEP-5311
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.carriers.live import LiveCluster
from ccmcheck.rules._support import placeholders, service_fixes, spelling, yaml_fixes
from ccmcheck.rules.base import Case, Meta
from ccmcheck.yamlio import Mapping, Scalar, kubernetes_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Fix
    from ccmcheck.objects.service_view import ServiceView

META = Meta("svc-invalid", "A Service that Kubernetes rejects", Severity.ERROR, per_release=False, kinds=("Service",))

_SERVICE = """\
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  type: LoadBalancer
  selector:
    app: web
  ports:
  - name: http
    port: 80
    targetPort: 8080
"""


def _changed(old: str, new: str) -> str:
    return _SERVICE.replace(old, new)


BAD = (
    Case(_changed("port: 80\n", 'port: "80"\n'), at=(11, 11), fixed=_SERVICE),
    Case(_changed("LoadBalancer", "Loadbalancer"), at=(6, 9), fixed=_SERVICE),
    Case(_changed("name: http", "name: HTTP"), at=(10, 11), fixed=_SERVICE),
    Case(
        _changed("  selector", "  externalTrafficpolicy: Local\n  selector"),
        at=(7, 3),
        fixed=_changed("  selector", "  externalTrafficPolicy: Local\n  selector"),
        unsafe=True,
    ),
    Case(_SERVICE + "  - port: 443\n", at=(13, 5)),
    Case(
        _changed("  selector", "  loadBalancerSourceRanges: [MY_CIDR]\n  selector"),
        at=(7, 30),
        severity=Severity.WARNING,
        named=False,
        shown=False,
    ),
    Case(_changed("  selector", "  loadBalancerSourceRanges: [<ваша сеть>/24]\n  selector"), at=(7, 30), shown=False),
    Case(_changed("name: web\n", "name: 1web\n"), at=(4, 9), severity=Severity.WARNING),
    Case(
        _changed("name: web\n", "name: 1web\n"),
        at=(4, 9),
        run_context=RunContext(facts=ClusterFacts(kubernetes_version="1.35")),
        shown=False,
    ),
    Case(
        _changed("  selector", "  loadBalancerSourceRanges: [192.0.2.7/24]\n  selector"),
        at=(7, 30),
        fixed=_changed("  selector", "  loadBalancerSourceRanges: [192.0.2.0/24]\n  selector"),
        run_context=RunContext(facts=ClusterFacts(kubernetes_version="1.36")),
    ),
    Case(_SERVICE + "  - name: other\n    port: 80\n", at=(13, 5), shown=False),
    Case(_SERVICE + "  - name: http\n    port: 443\n", at=(13, 11), shown=False),
    Case(_changed("targetPort: 8080", "targetPort: '8080'"), at=(12, 17), fixed=_SERVICE, shown=False),
    Case(
        _changed("port: 80\n", "port: 80\n    protocol: tcp\n"),
        at=(12, 15),
        fixed=_changed("port: 80\n", "port: 80\n    protocol: TCP\n"),
        shown=False,
    ),
    Case(_changed("app: web", "app: 1"), at=(8, 10), fixed=_changed("app: web", 'app: "1"'), shown=False),
    Case(_changed("app: web", "version: 1.10"), at=(8, 14), fixed=_changed("app: web", 'version: "1.10"'), shown=False),
    Case(_SERVICE[: _SERVICE.index("  ports")] + "  ports: []\n", at=(9, 3), shown=False),
    Case(_SERVICE[: _SERVICE.index("  ports")], at=(5, 1), shown=False),
    Case(_changed("  selector", "  clusterIP: None\n  selector"), at=(7, 14), shown=False),
    Case(_changed("port: 80\n", "port: 0\n"), at=(11, 11), shown=False),
    Case(_changed("  selector", "  loadBalancerSourceRanges: [x.x.x.x/32]\n  selector"), at=(7, 30), shown=False),
    Case(_changed("port: 80\n", "port: {x: y}\n"), at=(11, 5), shown=False),
    Case(
        _changed("name: web\n", "name: '{app}-web'\n"), at=(4, 9), severity=Severity.WARNING, named=False, shown=False
    ),
    Case(
        _changed("  selector", "  topologyKeys: [topology.kubernetes.io/zone]\n  selector"),
        at=(7, 3),
        severity=Severity.INFO,
        shown=False,
    ),
    Case(
        _changed("  selector", "  topologyKeys: [topology.kubernetes.io/zone]\n  selector"),
        at=(7, 3),
        run_context=RunContext(facts=ClusterFacts(kubernetes_version="1.22")),
        shown=False,
    ),
    Case(_changed("name: web\n", "name: {app}\n"), at=(4, 3), severity=Severity.WARNING, named=False, shown=False),
)
GOOD = (
    Case(_SERVICE),
    Case("kind: Service\nmetadata:\n  name: web\nspec:\n  type: LoadBalancer\n"),
    Case(
        _changed("name: web\n", "name: 1web\n"), run_context=RunContext(facts=ClusterFacts(kubernetes_version="1.36"))
    ),
    Case(
        _changed("  selector", "  loadBalancerSourceRanges: [192.0.2.7/24]\n  selector"),
        run_context=RunContext(facts=ClusterFacts(kubernetes_version="1.35")),
        shown=False,
    ),
    Case(_changed("port: 80\n", "port: {{ .Values.port }}\n"), template=True),
    Case(
        _changed("  selector", "  ipFamily: IPv4\n  selector"),
        run_context=RunContext(facts=ClusterFacts(kubernetes_version="1.19")),
        shown=False,
    ),
    Case(_SERVICE.replace("LoadBalancer", "ClusterIP").replace("http", "HTTP"), shown=False),
    Case(_changed("name: http", "name: HTTP"), run_context=RunContext(live=LiveCluster()), shown=False),
    Case(
        _changed("    targetPort", "{{- if .Values.tls }}\n  - name: http\n    port: 80\n{{- end }}\n    targetPort"),
        template=True,
        shown=False,
    ),
    Case(_changed("  selector", "  healthCheckNodePort: 31000\n  selector"), shown=False),
    Case(_changed("  selector", "  externalTrafficPolicy: Local\n  healthCheckNodePort: 80\n  selector"), shown=False),
    Case(_changed("name: web\n", "name: web\n  annotations:\n    a: true\n"), shown=False),
    Case(_changed("name: web\n", "name: '{app}'\n  annotations:\n    metallb.io/x: y\n"), named=False, shown=False),
    Case(
        "kind: Service\nmetadata:\n  name: web\nspec:\n  type: LoadBalancer\n  ports:\n  - port: 80\n  - port: 443\n",
        shown=False,
    ),
)

_ADDRESSES = frozenset(("loadBalancerSourceRanges", "loadBalancerIP", "externalIPs", "clusterIP", "clusterIPs"))
_REPORTED_ELSEWHERE = frozenset(("annotation", "check port", "port range"))
"""By svc-annotation-value and svc-hcnp-range."""


def check(service: ServiceView) -> Iterator[Problem]:
    """Report every fault that no other rule reports."""
    if service.is_accepted or service.manifest.text_at("spec", "type").lower() != "loadbalancer":
        return
    kubernetes = service.run_context.facts.kubernetes_version
    for fault in service.service.faults:
        if fault.about in _REPORTED_ELSEWHERE or fault.holds(kubernetes) is False:
            continue
        if fault.about == "missing" and (service.is_partial or not service.is_settled):
            continue
        if fault.about == "clash" and not service.is_settled:
            continue
        is_field = fault.about == "field"
        node = service.pair_at(*fault.path)[1]
        left = ""
        if isinstance(node, Scalar) and not is_field:
            in_address = not _ADDRESSES.isdisjoint(fault.path)
            left = (spelling.left_in_address if in_address else spelling.placeholder)(node.value)
        elif isinstance(node, Mapping) and not is_field:
            left = _in_braces(node)
        if left and service.is_meant_for_others and not service.manifest.is_named:
            continue  # another cloud's example
        if left:
            yield from placeholders.in_service(service.manifest, service.span_of(*fault.path), left, "the API server")
            continue
        # a field that there was before may be right for the cluster
        sure = fault.holds(kubernetes) if is_field else fault.refuses(kubernetes)
        fix = _fix(service, fault.path, fault.better, is_field=is_field)
        yield Problem(
            service.key_span_of(*fault.path) if is_field else service.span_of(*fault.path),
            fault.text,
            "" if not is_field else _DROPPED if sure else _DROPPED_LATER,
            f"Write `{fix.edits[0].text}`."
            if fix is not None and isinstance(fault.better, str) and not is_field
            else fault.help,
            fix,
            severity=None if sure else Severity.INFO if is_field else Severity.WARNING,
        )


def _in_braces(node: Mapping) -> str:
    """The placeholder ``{name}``, which is a mapping to YAML; empty for others, of which nothing is shown."""
    text = node.document.text[slice(*node.content)]
    is_alone = not node.has_other_keys and len(node.items) == 1
    return text if is_alone and spelling.placeholder(text) == text else ""


_DROPPED = "kubectl rejects the Service; clients without strict validation silently drop the field."
_DROPPED_LATER = (
    "From that version on kubectl rejects the Service; clients without strict validation silently drop the field."
)


def _fix(service: ServiceView, path: tuple[str | int, ...], better: str | int | None, *, is_field: bool) -> Fix | None:
    """Write the intended field or value."""
    key, node = service.pair_at(*path)
    manifest = service.manifest
    if is_field:
        edit = yaml_fixes.write(manifest, key, better) if key is not None and isinstance(better, str) else None
        return yaml_fixes.unsafe(manifest, f"write `{better}`", edit)
    if not isinstance(node, Scalar) or better is None:
        return None
    if isinstance(better, int):
        edit = service_fixes.as_number(node, better)
    elif isinstance(kubernetes_scalar(node), str):
        edit = service_fixes.replace(manifest, node, better)
    else:
        edit = service_fixes.as_text(manifest, node)
    return yaml_fixes.safe(manifest, f"write `{edit.text}`" if edit is not None else "", edit)
