"""What makes pods: read once, and searched by label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from ccmcheck.base.path_proximity import folder_of
from ccmcheck.carriers.base import PodOwner, RunContext
from ccmcheck.carriers.kubernetes_object import KubernetesObject


class OwnersByLabel:
    """What makes pods, by each label of the pods.

    Args:
        owners: All that makes pods.
    """

    def __init__(self, owners: Iterable[PodOwner]) -> None:
        self._by_label: dict[tuple[str, str, str], list[PodOwner]] = {}
        for owner in owners:
            for key, value in owner.labels.items():
                self._by_label.setdefault((owner.namespace, key, value), []).append(owner)

    def selected(self, namespace: str, selector: object) -> Sequence[PodOwner]:
        """Find candidates for what a Service selects: with its rarest label at least.

        Args:
            namespace: The Service's.
            selector: Its ``spec.selector`` as plain data.
        """
        if not isinstance(selector, dict):
            return ()
        labels = ((str(key), value) for key, value in selector.items() if isinstance(value, str))
        return min((self._by_label.get((namespace, *label), ()) for label in labels), key=len, default=())


class PodOwners:
    """The workloads of a file, and those of the files beside it.

    Args:
        path: The file.
        objects: The objects in it.
        run_context: What is known of the other files.
    """

    def __init__(self, path: str, objects: Sequence[KubernetesObject], run_context: RunContext) -> None:
        self._path = path
        self._objects = objects
        self._bundle = run_context

    def selected(self, namespace: str, selector: object) -> Sequence[PodOwner]:
        """Find candidates for what a Service selects; see `OwnersByLabel.selected`."""
        return self._near.selected(namespace, selector)

    @cached_property
    def _near(self) -> OwnersByLabel:
        from ccmcheck.predict.inputs.manifests import owners

        near = self._bundle.owners.get(folder_of(self._path), ())
        return OwnersByLabel((*(owner for owner in near if owner.path != self._path), *owners(self._objects)))
