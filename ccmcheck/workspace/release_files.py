"""What the files that are none of the run's say about the CCM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import carriers
from ccmcheck.base import text
from ccmcheck.base.budget import refuse_to_go_on
from ccmcheck.carriers import FindOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ccmcheck.carriers.base import CcmPod
    from ccmcheck.workspace.release_trees import Tree


class PodReader:
    """Reads what a file that is none of the run's says about the CCM, when it is asked for.

    Args:
        tree: Holds the files.
        find_options: How a file is searched; None for the defaults.
        shown: What to call a file of an absolute path.
    """

    def __init__(
        self, tree: Tree, find_options: Callable[[str], FindOptions] | None, shown: Callable[[str], str]
    ) -> None:
        self._tree = tree
        self._find_options = find_options
        self._shown = shown
        self._known: dict[str, Sequence[CcmPod]] = {}

    def __call__(self, path: str) -> Sequence[CcmPod]:
        """The workloads, charts and tags in it; none where it cannot be read or parsed."""
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = self._read(path)
        return known

    def _read(self, path: str) -> Sequence[CcmPod]:
        data = self._tree.read(path)
        if data is None:
            return ()
        shown, options_of = self._shown(path), self._find_options
        try:
            written = text.decode(data).text
            context = carriers.find(shown, written, options_of(shown) if options_of else FindOptions()).run_context
        except Exception as error:  # noqa: BLE001 - a file that nobody named says nothing, whatever is wrong with it
            refuse_to_go_on(error)
            return ()
        return for_others((*context.pods, *context.image_tags))


def for_others(pods: Iterable[CcmPod]) -> list[CcmPod]:
    """What a file says about the files around it: what a document shows is about that document alone."""
    return [pod for pod in pods if not (pod.is_example or pod.made_by)]
