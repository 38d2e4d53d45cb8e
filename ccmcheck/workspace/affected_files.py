"""Which unchanged files a change concerns all the same: by another release, cloud.conf or Service near them.

The release that reads a file, and who reads a plain cloud.conf, is looked up in the merge base and in the work tree;
where they differ, its findings may, too. A Service is judged by the cloud.confs near it and by the Services that share
its load balancer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from ccmcheck.base.paths import AbsolutePaths
from ccmcheck.carriers import FileContents
from ccmcheck.carriers.base import RunContext
from ccmcheck.catalog.signs.paths import is_document
from ccmcheck.catalog.signs.readers import STARTING_TEXTS
from ccmcheck.catalog.signs.release_texts import NAMING_KUBERNETES
from ccmcheck.conf.target_release import FoundRelease
from ccmcheck.kustomize.builds import is_kustomization
from ccmcheck.workspace.changed_files import ChangedFiles
from ccmcheck.workspace.release_finder import ReleaseFinder, ReleaseSearch
from ccmcheck.workspace.release_trees import RevisionTree, WorkTree, top_of
from ccmcheck.workspace.repositories import Repositories


def affected_by_release(
    paths: Collection[str],
    changed: Collection[str],
    revision: str,
    search: ReleaseSearch,
    after: ReleaseFinder,
    contents_of: Callable[[str], FileContents | None],
) -> Iterator[str]:
    """The unchanged files that another release, or another program, reads than in the merge base with a revision.

    Args:
        paths: The unchanged files that hold a cloud.conf or Services.
        changed: The changed files.
        revision: The revision.
        search: How releases are searched.
        after: Finds the releases of now.
        contents_of: Parses one of the files; None where it cannot.

    Raises:
        WrongUse: No git, no repository, or no such revision.
    """
    with Repositories(upstreams=True) as repositories:
        trees = _BaseTrees(ChangedFiles(revision, repositories), repositories, search)
        rebuilt = any(map(is_kustomization, changed))
        before = ReleaseFinder(search._replace(covered=(), tree_of=trees.of))
        for path in paths:
            if after.is_settled(path):
                continue
            # what names the CCM counts for the readers, too, and the version of Kubernetes for both
            differs = trees.may_differ(path, (*STARTING_TEXTS, *NAMING_KUBERNETES))
            is_judged_otherwise = (rebuilt or differs) and _judged(before.of(path)) != _judged(after.of(path))
            may_have_other_readers = differs and not is_document(path)
            if is_judged_otherwise or (
                may_have_other_readers and _have_other_readers(path, contents_of(path), before, after)
            ):
                yield path


def _judged(release: FoundRelease) -> tuple[object, ...]:
    """What decides what is found, of what is said about a release."""
    target = release.target
    return release.release, target.release, target.older, bool(release.rivals)


def _have_other_readers(path: str, contents: FileContents | None, before: ReleaseFinder, after: ReleaseFinder) -> bool:
    return contents is not None and _readers(before, path, contents) != _readers(after, path, contents)


def _readers(releases: ReleaseFinder, path: str, contents: FileContents) -> list[tuple[tuple[str, ...], str]]:
    """The readers of each cloud.conf of a file, and the version of Kubernetes that they are of; empty for none."""
    return [
        (carried.consumers, carried.kubernetes.name if carried.kubernetes is not None else "")
        for carried in releases.with_readers(path, contents)
    ]


def affected_services(run_context: RunContext, changed: Collection[str]) -> Iterator[str]:
    """The unchanged files with Services whose cloud.conf changed, or that share a load balancer with a changed one.

    Another controller of load balancers that changed concerns all of them.

    Args:
        run_context: What is known of the run.
        changed: The changed files.
    """
    for path, confs in run_context.confs.items():
        if path not in changed and any(conf.path in changed for conf in confs):
            yield path
    if any(controller.path in changed for controller in run_context.controllers):
        yield from (path for path in run_context.confs if path not in changed)
    for services in run_context.sharing_services.values():
        if any(service.path in changed for service in services):
            yield from (service.path for service in services if service.path not in changed)


class _BaseTrees:
    """The trees of the merge base, each found once.

    Args:
        changed_files: Knows the merge base.
        repositories: Git for the repositories of the run.
        search: How releases are searched.
    """

    def __init__(self, changed_files: ChangedFiles, repositories: Repositories, search: ReleaseSearch) -> None:
        self._changed_files = changed_files
        self._repositories = repositories
        self._search = search
        self._absolute = AbsolutePaths(search.root)
        self._by_folder: dict[str, RevisionTree] = {}
        self._by_top: dict[str, RevisionTree] = {}
        self._differs: dict[tuple[str, tuple[str, ...]], bool] = {}

    def of(self, folder: str) -> RevisionTree:
        """The tree of the merge base around a folder."""
        revision_tree = self._by_folder.get(folder)
        if revision_tree is None:
            git = self._repositories.required(folder)
            top = top_of(folder, git.paths)
            revision_tree = self._by_top.get(top)
            if revision_tree is None:
                base = self._changed_files.merge_base(git, folder)
                revision_tree = self._by_top[top] = RevisionTree(git, base, top, self._search.limits)
            self._by_folder[folder] = revision_tree
        return revision_tree

    def may_differ(self, path: str, texts: tuple[str, ...]) -> bool:
        """Whether a file around another that holds one of some texts differs between merge base and work tree."""
        tree = self.of(self._absolute.folder_of(path))
        key = tree.top, texts
        if key not in self._differs:
            now = WorkTree(tree.git.paths, tree.top, self._search.limits).holding(texts)
            self._differs[key] = set(tree.holding(texts)) != set(now) or any(
                tree.git.hash_of(name) != tree.blob_of(name) for name in now
            )
        return self._differs[key]
