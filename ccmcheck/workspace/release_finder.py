"""Finds the release of the CCM that reads a file: by an image, a chart's version or a kustomization's tag near it.

The files of the run are known; where they are not all of a repository, its other files that name the CCM are searched,
too, and outside of a repository those of the file's own folder. See `ccmcheck.workspace.release_levels` for what is
nearest.

What the files that are none of the run's say about the CCM.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ccmcheck import carriers
from ccmcheck.base import text
from ccmcheck.base.boundary import is_within
from ccmcheck.base.budget import refuse_to_go_on
from ccmcheck.base.errors import GitUnavailable
from ccmcheck.base.open_input import consulted
from ccmcheck.base.paths import AbsolutePaths
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers import FileContents, FindOptions
from ccmcheck.carriers.base import IN_TREE, CarriedConf, CcmPod, ConfPlace, KubernetesVersion
from ccmcheck.catalog.behaviour import kubernetes_has
from ccmcheck.catalog.data.deployments import NAMING_THE_CCM
from ccmcheck.catalog.data.notations import PARTIAL
from ccmcheck.catalog.signs.paths import YAML_NAMES, is_document
from ccmcheck.catalog.signs.readers import MAYBE, STARTING_TEXTS
from ccmcheck.conf.target_release import CCM, NOTHING_FOUND, FoundRelease, agreed
from ccmcheck.workspace.discover import DiscoverOptions
from ccmcheck.workspace.release_levels import FileIndex, Levels

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from ccmcheck.base.repository_paths import RepositoryPaths
    from ccmcheck.carriers.kubernetes_object import KubernetesObject
    from ccmcheck.catalog.signs.texts import Weighed
    from ccmcheck.workspace.one_search import OneSearch
    from ccmcheck.workspace.release_trees import Tree
    from ccmcheck.workspace.started_readers import StartedReaders


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


class ReleaseSearch(NamedTuple):
    """How releases are searched.

    Attributes:
        limits: Which files are read.
        find_options: How a file is searched; None for the defaults.
        looks_around: Whether files are searched that are none of the run's.
        covered: Folders whose files the run knows all, as absolute paths.
        tree_of: Gives the tree of a folder instead of its repository's work tree.
        root: The folder that relative paths start from; the current one when empty.
    """

    limits: DiscoverOptions = DiscoverOptions()
    find_options: Callable[[str], FindOptions] | None = None
    looks_around: bool = True
    covered: tuple[str, ...] = ()
    tree_of: Callable[[str], Tree] | None = None
    root: str = ""

    def shown(self, whole: str) -> str:
        """What to call a file of an absolute path."""
        return os.path.relpath(whole, self.root or os.curdir)


NO_SEARCH = ReleaseSearch(looks_around=False)
"""For texts that are no files: what they hold themselves counts, and what the run knows."""


class ReleaseFinder:
    """Finds the releases of the files of one run.

    Args:
        search: How.
        pods: The workloads, charts and tags that the run knows already.
    """

    def __init__(self, search: ReleaseSearch = NO_SEARCH, pods: Iterable[CcmPod] = ()) -> None:
        self._search = search
        self._absolute = AbsolutePaths(search.root)
        self._known: dict[str, list[CcmPod]] = {}
        for pod in pods:
            if pod.made_by:
                continue  # what makes it says the release, too
            self._known.setdefault(self._absolute(pod.path), []).append(pod)
        by_path = {path: for_others(own) for path, own in self._known.items()}
        self._of_run = FileIndex([path for path, own in by_path.items() if own], by_path.__getitem__)
        self._levels: dict[str, Levels] = {}
        self._by_top: dict[str, Levels] = {}
        self._repositories: dict[str, RepositoryPaths | None] = {}
        self._started: dict[str, StartedReaders] = {}
        self._one_search: dict[str, OneSearch] = {}
        self._has_git = True
        self._last: FileReleases | None = None

    def of_file(self, path: str, own: Iterable[CcmPod] | None = None) -> FileReleases:
        """The releases of one file.

        Args:
            path: The file, as the user named it.
            own: The workloads, charts and tags in it, where its text is at hand; None where the run knows them.
        """
        whole = self._absolute(path)
        if own is not None:
            return FileReleases(self, path, whole, [pod for pod in own if not pod.made_by])
        if self._last is None or self._last.path != path:  # the texts of a file are asked about one after another
            self._last = FileReleases(self, path, whole, self._known.get(whole, ()))
        return self._last

    def of(self, path: str, document: int = 0, subject: str = "") -> FoundRelease:
        """The release of one text of a file; see `FileReleases.of`."""
        return self.of_file(path).of(document, subject)

    def with_readers(self, path: str, contents: FileContents) -> list[CarriedConf]:
        """The cloud.confs of a file, with the readers that only the files around it tell of.

        Args:
            path: The file, as the user named it.
            contents: What is in it.
        """
        if not contents.carried:
            return []
        file = self.of_file(path, (*contents.pods, *contents.run_context.image_tags))
        return [file.with_reader(carried) for carried in contents.carried]

    def all_around(self, path: str) -> Iterator[CcmPod]:
        """All workloads, charts and tags in a file, then those around it, the nearest first; some several times."""
        whole = self._absolute(path)
        yield from self._known.get(whole, ())
        yield from self.around(path).passed(whole)

    def is_settled(self, path: str) -> bool:
        """Whether what the run knows of a file itself says its release, so that nothing around it matters."""
        return bool(self._known) and agreed(self._known.get(self._absolute(path), ())) is not None

    def look_around(self, path: str) -> None:
        """Search now what is around a file, unless the file itself says its release."""
        if not self.is_settled(path):
            self.around(path)

    def around(self, path: str) -> Levels:
        """What is around a file.

        Args:
            path: The file, as the user named it.
        """
        is_alone = path.startswith("<") or not self._search.looks_around  # as standard input without a name of its own
        folder = "" if is_alone else self._absolute.folder_of(path)
        found = self._levels.get(folder)
        if found is None:
            found = self._levels[folder] = Levels((self._of_run,)) if is_alone else self._searched(path, folder)
        return found

    def found_around(self, path: str) -> FoundRelease:
        """The release of a file that says nothing about one itself."""
        whole = self._absolute(path)
        return self.around(path).of(whole)

    def _searched(self, path: str, folder: str) -> Levels:
        """What is around the files of a folder: the same object for all folders of a repository."""
        tree, is_repository = self._tree(folder)
        if is_repository and not path.lower().endswith(YAML_NAMES):
            tree = self._searched_once(tree)  # it may be a cloud.conf, about which more is asked
        found = self._by_top.get(tree.top)
        if found is None:
            covering = next((one for one in self._search.covered if is_within(tree.top, one)), "")
            try:
                names = []
                if not covering:
                    names = [path for path in tree.holding(NAMING_THE_CCM) if path not in self._known]
            except GitUnavailable:
                if self._search.tree_of is not None:
                    raise
                self._go_on_without_git()
                return self._searched(path, folder)
            read = PodReader(tree, self._search.find_options, str if os.path.isabs(path) else self._search.shown)
            kustomizations = None
            if names or self._of_run.files:
                from ccmcheck.workspace.kustomization_references import Kustomizations

                kustomizations = Kustomizations(tree, tree.top)
            found = self._by_top[tree.top] = Levels(
                (self._of_run, FileIndex(names, read)), kustomizations, tree.top if is_repository else ""
            )
        return found

    def started_around(self, path: str, whole: str, reader: str) -> tuple[str, KubernetesVersion | None]:
        """Who reads a cloud.conf by what the files around it start, and the version of Kubernetes where that matters.

        Outside of a repository these are the files in and below a folder that the user named, or else the file's own.

        Args:
            path: The file, as the user named it.
            whole: Its absolute path.
            reader: The reader, where that is known.

        Returns:
            The reader, empty where nothing tells, or where what is around has no version with such a provider; the
            version, None where none is known, or several are equally near.
        """
        if not self._search.looks_around or path.startswith("<"):
            return reader, None
        consulted.times += 1
        from ccmcheck.workspace.release_trees import Folder
        from ccmcheck.workspace.started_readers import StartedReaders

        folder = os.path.dirname(whole)
        tree, is_repository = self._tree(folder)
        if not is_repository:
            tree = Folder(tree.top, self._search.limits, is_deep=True)
        started = self._started.get(tree.top)
        if started is None:
            started = self._started[tree.top] = StartedReaders(self._searched_once(tree))
        shown = str if os.path.isabs(path) else self._search.shown
        try:
            told = () if reader else tuple(started.nearest(whole).values())
            if any(answer.value == CCM for answer in told):
                return "", None
            versions = started.kubernetes_of(whole, shown)
        except GitUnavailable:
            if self._search.tree_of is not None:
                raise
            self._go_on_without_git()
            del self._started[tree.top]
            return self.started_around(path, whole, reader)
        is_told = any(answer.weight > MAYBE for answer in told)
        names = [version.name for version in versions]
        if not reader and not _are_in_tree(names, is_told=is_told, may_be=bool(told)):
            return "", None
        return reader or IN_TREE, versions[0] if len(versions) == 1 else None

    def kubernetes_around(self, path: str) -> str:
        """The version of Kubernetes that is nearest to a file; empty where none is."""
        version = self.started_around(path, self._absolute(path), CCM)[1]
        return version.name if version is not None else ""

    def starting_around(self, path: str) -> dict[str, Weighed]:
        """The files nearest to a plain file that start a reader of it, by the names for people, each with its answer.

        Asked for once `started_around` has searched them; none before.
        """
        whole = self._absolute(path)
        started = self._started.get(self._tree(os.path.dirname(whole))[0].top)
        if started is None:
            return {}
        return {self._search.shown(file): answer for file, answer in started.nearest(whole).items()}

    def _searched_once(self, tree: Tree) -> OneSearch:
        """A tree whose one search answers all that is asked about a plain file."""
        from ccmcheck.catalog.signs.release_texts import NAMING_KUBERNETES
        from ccmcheck.workspace.one_search import OneSearch

        return self._one_search.setdefault(tree.top, OneSearch(tree, (*STARTING_TEXTS, *NAMING_KUBERNETES)))

    def _go_on_without_git(self) -> None:
        """Look at single folders from now on; the top of a repository may be one, so that no search of it is kept."""
        self._has_git = False
        self._one_search.clear()

    def _tree(self, folder: str) -> tuple[Tree, bool]:
        """The tree of a folder, and whether it is a repository's."""
        from ccmcheck.workspace.release_trees import Folder, WorkTree, top_of

        if self._search.tree_of is not None:
            return self._search.tree_of(folder), True
        repository = self._repository(folder) if self._has_git else None
        if repository is None:
            covering = next((one for one in self._search.covered if is_within(folder, one)), folder)
            return Folder(covering, self._search.limits), False
        return WorkTree(repository, top_of(folder, repository), self._search.limits), True

    def _repository(self, folder: str) -> RepositoryPaths | None:
        """The repository of a folder; what is known of the folder around it spares asking for most."""
        from ccmcheck.base.repository_paths import find_repository

        if folder in self._repositories:
            return self._repositories[folder]
        above = os.path.dirname(folder)
        if above in self._repositories and not os.path.lexists(os.path.join(folder, ".git")):
            found = self._repositories[above]
        else:
            found = find_repository(folder)
        self._repositories[folder] = found
        return found


class FileReleases:
    """The releases of the texts of one file: by their object, their YAML document, the file, or what is around it.

    Args:
        finder: Knows what is around.
        path: The file, as the user named it.
        whole: Its absolute path.
        own: The workloads, charts and tags in it.

    Attributes:
        path: The file.
    """

    def __init__(self, finder: ReleaseFinder, path: str, whole: str, own: Iterable[CcmPod]) -> None:
        self._finder = finder
        self.path = path
        self._whole = whole
        self._of_file = list(own)
        self._of_document: dict[int, list[CcmPod]] = {}
        self._of_object: dict[tuple[int, str], list[CcmPod]] = {}
        for pod in self._of_file:
            self._of_document.setdefault(pod.document, []).append(pod)
            self._of_object.setdefault((pod.document, pod.subject.partition(" (chart ")[0]), []).append(pod)
        self._found: dict[Hashable, FoundRelease | None] = {}
        self._around: FoundRelease | None = None

    def of(self, document: int = 0, subject: str = "") -> FoundRelease:
        """The release that reads a cloud.conf, or makes a Service's load balancer.

        Args:
            document: Which YAML document of the file it is in.
            subject: The object that it is in; empty where it is in none.
        """
        if self._of_file:
            keyed: tuple[tuple[Hashable, list[CcmPod] | None], ...] = (
                ((document, subject), self._of_object.get((document, subject)) if subject else None),
                (document, self._of_document.get(document)),
                (None, self._of_file),
            )
            for key, pods in keyed:
                if pods is None:
                    continue
                if key not in self._found:
                    self._found[key] = agreed(pods)
                found = self._found[key]
                if found is not None:
                    return found
        if self._around is None:
            self._around = self._found_around()
        return self._around

    def _found_around(self) -> FoundRelease:
        """What the files around say; where the nearest image names no release, with the version of Kubernetes."""
        consulted.times += bool(self._of_file)
        found = self._finder.around(self.path).of(self._whole, self._of_file)
        if found.release is not None or found.rivals or not (found.unnamed or self._of_file):
            return found
        version = self._finder.started_around(self.path, self._whole, CCM)[1]
        return FoundRelease(unnamed=tuple(self._of_file) or found.unnamed, kubernetes=version)

    def of_text(self, found: CarriedConf | ConfPlace | KubernetesObject) -> FoundRelease:
        """The release that reads one of the file's cloud.confs, or makes one of its Services' load balancers.

        What is rendered into other clusters is read there: only its own YAML document speaks of those.

        Args:
            found: The cloud.conf or the object.
        """
        if not isinstance(found, CarriedConf | ConfPlace):
            return self.of(found.document, found.subject)
        if found.is_elsewhere:
            return agreed(self._of_document.get(found.document, ())) or NOTHING_FOUND
        release = self.of(found.document, found.subject)
        installs_both = found.carrier in PARTIAL and release.release is None
        if found.kubernetes is None or not (release.unnamed or installs_both):
            return release
        return release._replace(kubernetes=found.kubernetes)

    def with_reader(self, carried: CarriedConf) -> CarriedConf:
        """A cloud.conf with its reader by what the files around it start, where nothing else tells of one.

        Only a plain file is read by other processes than the CCM and drivers: those mount objects. What a document
        shows is no file of this repository's clusters.

        Args:
            carried: One of the file's.
        """
        known = carried.consumers[0] if carried.consumers else ""
        if is_document(self.path):
            return carried
        if known:
            if known != IN_TREE or carried.kubernetes is not None:
                return carried
        elif carried.subject or self._of_file or not self._is_open(carried):
            return carried
        reader, version = self._finder.started_around(self.path, self._whole, known)
        return carried._replace(consumers=(reader,), kubernetes=version) if reader else carried

    def _is_open(self, carried: CarriedConf) -> bool:
        """Whether nothing around a cloud.conf tells of a release of the CCM."""
        found = self.of_text(carried)
        return found.release is None and not found.rivals


def _are_in_tree(versions: Sequence[str], *, is_told: bool, may_be: bool) -> bool:
    """Whether the provider inside Kubernetes reads a cloud.conf, by the versions of Kubernetes nearest to it.

    Args:
        versions: They.
        is_told: Whether processes are started with it. Before there were others, it is the only one anyway.
        may_be: Whether they are where the version of Kubernetes has it.
    """
    if is_told or (may_be and versions):
        return not versions or not all(kubernetes_has("no-in-tree-openstack", one) for one in versions)
    return bool(versions) and not any(kubernetes_has("external-provider", one) for one in versions)


def search_around(
    paths: Sequence[str], limits: DiscoverOptions, find_options: Callable[[str], FindOptions] | None = None
) -> ReleaseSearch:
    """How to search for the releases of the files of a run.

    Args:
        paths: What the user named; of a folder the run knows all files.
        limits: Which files are read.
        find_options: How a file is searched; None for the defaults.
    """
    covered = tuple(os.path.abspath(path) for path in paths if os.path.isdir(path))
    return ReleaseSearch(limits._replace(report=None), find_options, covered=covered)
