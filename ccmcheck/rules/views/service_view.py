"""The view of a rule about Services: one Service at one release, the cloud.conf near it, and the effective settings.

Contract 7: what a template mark hides, and what only a missing cloud.conf would decide, is ``UNKNOWN``.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ccmcheck.base.path_proximity import nearest
from ccmcheck.catalog import octavia
from ccmcheck.catalog.data.behaviour import FIRST_PREDICTED
from ccmcheck.catalog.data.cluster import IN_TREE_ANNOTATIONS
from ccmcheck.catalog.service_annotations import INTERNAL, PREFIX
from ccmcheck.conf.item import UNKNOWN, Unknown
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.inputs.annotations import Annotations, CcmError
from ccmcheck.predict.inputs.sharing import refusal
from ccmcheck.rules.views.service_config import agree, implied_options, options_at
from ccmcheck.rules.views.service_manifest import WrittenAnnotation, WrittenService

if TYPE_CHECKING:
    from ccmcheck.carriers.base import NearbyConf
    from ccmcheck.catalog.data.release_bugs import ReleaseBug
    from ccmcheck.catalog.open_choice import OpenChoice
    from ccmcheck.policy.create_monitor.records import MatrixRow
    from ccmcheck.predict.drivers.record import Driver
    from ccmcheck.predict.inputs.cloud_state import CloudState
    from ccmcheck.predict.inputs.options import Options
    from ccmcheck.predict.inputs.tls_reference import WrongReference
    from ccmcheck.predict.records import Answer, Prediction

_NAMES_ALONE = frozenset({
    "availability-zone", "flavor-id", "floating-network-id", "floating-subnet", "floating-subnet-id",
    "floating-subnet-tags", "ingress-hostname-suffix", "member-subnet-id", "network-id", "subnet-id",
})  # fmt: skip
"""Keys that name something at the cloud: a template's mark in them leaves everything else known."""
_DECIDE_THE_ROW = frozenset({"lb-provider", "provider-requires-serial-api-calls"})


class ServiceView(WrittenService):
    """One Service with the effective settings of its annotations and the cloud.conf near it."""

    @cached_property
    def handled(self) -> bool:
        """Whether the CCM makes a load balancer for it; False where that is not sure from the Service alone."""
        service = self.service
        if not self.release.at_least(FIRST_PREDICTED) or service.type != "LoadBalancer" or service.owner:
            return False
        if not service.ports and "spec.ports" not in service.open:
            return False  # a patch of a Service that lies elsewhere
        options = self.options
        return options is None or not (options.unsupported or not options.use_octavia)

    @property
    def is_ours(self) -> bool:
        """Whether the CCM makes a load balancer for it, and no annotation addresses another cloud."""
        return self.handled and not self.is_meant_for_others

    @property
    def is_surely_ours(self) -> bool:
        """Whether more than its type says so: an annotation, a cloud.conf or the CCM in the run, or a cluster."""
        around = self.run_context
        named = any(name == INTERNAL or name.startswith(PREFIX) for name in self.annotations)
        return self.is_ours and (named or bool(self.confs or around.pods) or around.live is not None)

    @property
    def is_taken_for_ours(self) -> bool:
        """Whether advice that only holds with the CCM is given: any cloud may serve what is only found in a folder."""
        return self.is_surely_ours or (self.is_ours and self.manifest.is_named)

    @property
    def is_accepted(self) -> bool:
        """Whether an API server has it, which has validated it by its own version, flags and admission."""
        return self.run_context.live is not None

    @cached_property
    def confs(self) -> tuple[NearbyConf, ...]:
        """See `Manifest.nearest_confs`."""
        return self.manifest.nearest_confs

    @property
    def is_in_tree(self) -> bool:
        """Whether the provider inside Kubernetes, not the CCM, makes its load balancer, by the cloud.confs near it."""
        in_tree = self.run_context.in_tree
        return not self.confs and bool(in_tree) and (self.manifest.path in in_tree or "" in in_tree)

    def reads(self, name: str) -> bool:
        """Whether whoever makes its load balancer reads an annotation, of the CCM's domain or not."""
        return not self.is_in_tree or not name.startswith(PREFIX) or name in IN_TREE_ANNOTATIONS

    def annotation(self, name: str) -> WrittenAnnotation | None:
        """The same, and None for what the provider inside Kubernetes does not read."""
        written = super().annotation(name)
        return written if written is None or self.reads(written.name) else None

    @property
    def conf_name(self) -> str:
        """The cloud.conf that decides, for people; empty where none is known, or several agree."""
        return self.confs[0].title if len(self.confs) == 1 else ""

    @cached_property
    def options(self) -> Options | None:
        """The configuration as the release reads it.

        Where no cloud.conf is known, what the profiles of the run imply. None where they imply nothing, where several
        cloud.confs that are equally near differ, and where the CCM does not start with it.
        """
        return self.manifest.answer_of_file((agree, self.manifest.path, self.release), self._agreed_options)

    def _agreed_options(self) -> Options | None:
        if not self.confs and not self.is_in_tree and self.run_context.requirements:
            return implied_options(self.run_context.requirements, self.release)
        candidates = self.options_of_each
        return candidates[0] if candidates and all(agree(one, candidates[0]) for one in candidates[1:]) else None

    @property
    def options_of_each(self) -> list[Options]:
        """The configurations of all cloud.confs that are equally near; none where one is unknown, or stops the CCM."""
        each = [options_at(conf, self.release) for conf in self.confs]
        known = [options for options in each if options is not None and not options.stop]
        return known if len(known) == len(each) else []

    def config(self, key: str) -> object:
        """What the configuration says of a key of ``[LoadBalancer]``, as `predict.inputs.options.Options` has it."""
        options = self.options
        if options is None or key in options.open:
            return UNKNOWN
        name = "serial" if key == "provider-requires-serial-api-calls" else key.replace("-", "_")
        value: object = getattr(options, name)
        return value

    def switch(self, name: str, key: str = "") -> bool | Unknown:
        """A bool annotation, else the key that it overrides, else false.

        Args:
            name: The annotation.
            key: The key; empty where there is none.
        """
        annotation = self.annotation(name)
        if annotation is not None:
            if annotation.text is None or self.has_alternatives:
                return UNKNOWN
            if annotation.text in ("true", "false"):
                return annotation.text == "true"
            if self.behaviours["bad-bool-is-an-error"]:
                return UNKNOWN
        elif not self.is_settled or self.is_patched(name if "/" in name else PREFIX + name):
            return UNKNOWN
        value = self.config(key) if key else False
        return value if isinstance(value, bool) else UNKNOWN

    def word(self, name: str, key: str = "") -> str | Unknown:
        """A text annotation, which counts when it is empty too, else the key that it overrides, else nothing.

        Args:
            name: The annotation.
            key: The key; empty where there is none.
        """
        annotation = self.annotation(name)
        if annotation is not None:
            return UNKNOWN if annotation.text is None or self.has_alternatives else annotation.text
        if not self.is_settled or self.is_patched(name if "/" in name else PREFIX + name):
            return UNKNOWN
        value = self.config(key) if key else ""
        return value if isinstance(value, str) else UNKNOWN

    @cached_property
    def monitor(self) -> bool | Unknown:
        """Whether its pools get health monitors."""
        return self.switch("enable-health-monitor", "create-monitor")

    @property
    def monitor_annotation(self) -> WrittenAnnotation | None:
        """The annotation that decides about monitors; None where the configuration does."""
        annotation = self.annotation("enable-health-monitor")
        return annotation if annotation is not None and annotation.text in ("true", "false") else None

    @cached_property
    def driver(self) -> Driver:
        """The driver of its load balancer; one that nothing is known of where the configuration is not known."""
        provider = self.config("lb-provider")
        return driver_of(provider if isinstance(provider, str) else None)

    @cached_property
    def proxy(self) -> str | Unknown:
        """The pool's protocol that its annotation asks for: ``PROXY``, ``PROXYV2`` or empty."""
        if self.word("proxy-protocol") is UNKNOWN:
            return UNKNOWN
        try:
            return Annotations(self.service.annotations, self.behaviours).proxy()
        except CcmError:
            return UNKNOWN

    @cached_property
    def tls(self) -> str | Unknown:
        """The TLS reference that every listener gets; empty for none."""
        if not self.behaviours["tls-references"]:
            return ""
        return self.word("default-tls-container-ref", "default-tls-container-ref")

    @cached_property
    def wrong_tls_reference(self) -> WrongReference | None:
        """What is wrong with a TLS reference in an annotation; None where nothing is, or where it is not Barbican's."""
        ref = self.tls if self.annotation("default-tls-container-ref") is not None else ""
        if not isinstance(ref, str) or not ref:
            return None
        options = self.options
        if self.behaviours["container-stores"] and (
            options.container_store != "barbican" if options else "/v1/" not in ref
        ):
            return None
        from ccmcheck.predict.inputs.tls_reference import wrong_reference

        return wrong_reference(ref, self.release.name, self.behaviours)

    @cached_property
    def internal(self) -> bool | Unknown:
        """Whether it gets no floating IP."""
        if self.behaviours["internal-is-enforced"] and self.config("internal-lb") is True:
            return True
        return self.switch(INTERNAL, "internal-lb")

    @cached_property
    def cloud(self) -> CloudState:
        """What is known of the cloud and the cluster."""
        from ccmcheck.predict.inputs.cluster import cloud_around

        return cloud_around(nearest(self.manifest.path, self.run_context.pods), self.run_context.facts)

    @cached_property
    def prediction(self) -> Prediction | None:
        """What the CCM does with it; None where a part of it, or of the configuration, is unknown."""
        return self.predicted(self.options)

    def predicted(self, options: Options | None) -> Prediction | None:
        """The same with one of several configurations.

        Args:
            options: The configuration; None where it is unknown.
        """
        if options is None or not _NAMES_ALONE.issuperset(options.open) or self.service.open or not self.is_settled:
            return None
        from ccmcheck.predict.pipeline import predict

        rival_port = next((port for port, _ in self.taken_ports), 0)
        service = self.service._replace(rival_port=rival_port) if rival_port else self.service
        return predict(options, service, self.cloud)

    @cached_property
    def refused_guest(self) -> str:
        """Why the CCM gives it no part of the load balancer that it names, a name of `GuestRefusal`; empty for nothing."""
        before, most = len(self.sharers_before), self.config("max-shared-lb")
        tags = octavia.api_has("tags", octavia.api_version(self.run_context.facts.octavia_release))
        if not before:
            return ""
        refused = refusal(
            before,
            most if isinstance(most, int) else before + 1,
            self.behaviours,
            internal=self.internal is True,
            tags=tags is not False,
        )
        return refused.name if refused is not None else ""

    def answer(self, name: str) -> Answer | None:
        """One verdict of the prediction; None where it is not judged, or there is no load balancer to judge.

        Args:
            name: Its name, as `ccmcheck.predict.records.Answer` has it.
        """
        prediction = self.prediction
        if prediction is None or prediction.outcome.value not in ("accepted", "unknown"):
            return None
        return prediction.answer(name)

    @cached_property
    def release_bugs(self) -> tuple[ReleaseBug, ...]:
        """The bugs of the release that it meets, the worst first; none where a part of it is not known."""
        options = self.options
        if options is None or self.service.open or not (self.is_surely_ours and self.is_settled):
            return ()
        from ccmcheck.predict.inputs.service_conditions import bugs_met

        return tuple(bugs_met(options, self.service, self.cloud.node_count))

    @property
    def choices(self) -> tuple[OpenChoice, ...]:
        """What decides where it leaves something open; nothing where a part of it is not known."""
        options = self.options
        if (
            options is None
            or self.service.open
            or self.has_alternatives
            or not (self.is_surely_ours and self.is_settled)
        ):
            return ()
        from ccmcheck.predict.inputs.choices import choices_of, open_choices

        return tuple(choices_of(open_choices([options]), [options], self.service, self.cloud.node_count))

    @cached_property
    def row(self) -> MatrixRow | None:
        """The row of the create-monitor matrix that it falls under; None where too little is known."""
        from ccmcheck.predict.verdicts.findings import row_for

        options = self.options
        if options is None or not _DECIDE_THE_ROW.isdisjoint(options.open):
            return None
        return row_for(options, self.service, self.cloud, bool(self.proxy), len(self.service.ports))

    def __repr__(self) -> str:
        return f"<ServiceView {self.manifest.subject} at {self.release.name}>"
