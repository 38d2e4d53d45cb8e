"""``ccmcheck list``: what is found, by which release it is judged, and why look-alikes are left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ccmcheck.base.facts import Fact, FactPlace, State
from ccmcheck.base.suggest import first_of
from ccmcheck.cli.input_files import look
from ccmcheck.cli.required import check_required, nothing_found
from ccmcheck.cli.resolve import CommandInputs, target_releases
from ccmcheck.cli.running import CommandRun, declared
from ccmcheck.workspace.deployment.inventory import (
    FoundConf,
    FoundInstall,
    FoundService,
    Inventory,
    inventory,
    selected,
)
from ccmcheck.workspace.release_evidence import Evidence, Rejected, release_evidence
from ccmcheck.workspace.survey import Survey, SurveyedConf

FORMATS = ("text", "json")
ASSUMED = "assumed"
_MOST_NAMES = 3
_UNNAMED = "(unnamed)"
_MOST_SIGNS = 6
_PATHS = frozenset({"path", "deployment"})
"""What names files alone: a path is no secret, and without it nobody finds the file."""


@declared(
    "list",
    "paths config_from deployments releases kubernetes_version require INPUTS quiet verbose OUTPUTS",
    formats=FORMATS,
)
def command(run: CommandRun) -> int:
    """List each cloud.conf that is found below PATH: its place, what holds it, who reads it, and by which release.

    PATH is a file, a folder, a glob, or - for standard input; without one, the current folder. The release comes from
    the CCM's image, chart or kustomization that is nearest to the file, with its line, or from --release and the
    configuration. Two equally near ones that differ leave it unknown, and both are named. With -v also what says so,
    where the Services are, and why files that look like a cloud.conf are none.

    Exit code: 0 whether or not anything is found, 2 fewer than --require, 3 a file could not be read.
    """
    arguments, inputs, outputs = run.given, run.inputs, run.outputs
    target_releases(arguments.releases, None)  # what is wrong with the options is said before a file is read
    survey = look(run.paths, inputs, arguments.releases, with_documents=True)
    proves = bool(arguments.verbose) or "json" in outputs.formats
    inventory = _inventory(survey, arguments.releases, inputs, with_rejected=proves)
    if arguments.deployments:
        inventory = selected(inventory, arguments.deployments)
    run.write(lambda form: _as_data(inventory) if form == "json" else _text(inventory, arguments.verbose))
    code = run.ended(survey.failures)
    if survey.left_out and not inventory.is_empty:
        run.note(f"{survey.left_out:,} more left out as examples or test data (default-exclude)")
    if not arguments.quiet and inventory.is_empty:
        nothing_found(inventory.files, survey.left_out)
    check_required(arguments.require, len(inventory.confs))
    return code


def _inventory(survey: Survey, releases: tuple[str, ...], inputs: CommandInputs, *, with_rejected: bool) -> Inventory:
    from ccmcheck.redact.report import redact_report

    def release_of(surveyed: SurveyedConf) -> Evidence:
        config = inputs.of(surveyed.path)
        named = target_releases(releases, None, config.release)
        if named:
            origin = config.origins.get(("release",))
            place = (
                FactPlace(origin.path, origin.line) if origin is not None and origin.line else FactPlace(config.source)
            )
            names = [release.release.name for release in named]
            return Evidence(Fact.one_of(names, FactPlace("--release") if releases else place, why=""))
        return release_evidence(survey, surveyed, inputs.kubernetes_of(surveyed.path), with_rejected=with_rejected)

    texts = (*survey.texts(), *(text.text for text in survey.not_taken))
    return redact_report(inventory(survey, release_of), texts, plain=_PATHS)


def _as_data(found: Inventory) -> dict[str, object]:
    return {
        "version": 2,
        "files": found.files,
        "cloud_confs": [_conf_data(conf) for conf in found.confs],
        "installations": [_install_data(install) for install in found.installs],
        "services": [service._asdict() for service in found.services],
        "look_alikes": [{**alike._asdict(), "signs": _places(alike.signs)} for alike in found.look_alikes],
    }


def _conf_data(conf: FoundConf) -> dict[str, object]:
    data: dict[str, object] = conf._asdict()
    facts: dict[str, object] = {name: _fact_data(data.pop(name)) for name in ("release", "cluster_name")}
    del data["rejected"], data["read_by"]
    facts["reader"] = _fact_data(conf.read_by.fact)
    facts["rejected"] = {"release": _rejected_data(conf.rejected), "reader": _rejected_data(conf.read_by.rejected)}
    release = conf.release
    is_said = bool(release.places) and not release.why
    return {
        **data,
        "releases": list(release.values),
        "release_source": release.places[0].where if is_said else release.why,
        "services": [service._asdict() for service in conf.services],
        "signs": _places(conf.signs),
        "facts": facts,
    }


def _install_data(install: FoundInstall) -> dict[str, object]:
    data: dict[str, object] = install._asdict()
    facts = {name: _fact_data(data.pop(name)) for name in ("cloud_conf", "release", "cluster_name")}
    rejected = {"release": _rejected_data(install.rejected)}
    services = [service._asdict() for service in install.services]
    return {
        **{name: data[name] for name in ("deployment", "path", "line", "object")},
        "releases": list(install.release.values),
        "services": services,
        "facts": {**facts, "rejected": rejected},
    }


def _fact_data(fact: object) -> dict[str, object] | None:
    if not isinstance(fact, Fact):
        return None
    return {"state": fact.state.value, "values": list(fact.values), "why": fact.why, "places": _places(fact.places)}


def _places(places: Sequence[FactPlace]) -> list[dict[str, object]]:
    return [place._asdict() for place in places]


def _text(found: Inventory, verbose: int) -> Iterator[str]:
    from ccmcheck.base.escape import printable

    trees = [(_title(conf, conf.carrier), list(_branches(conf, verbose))) for conf in found.confs]
    trees += [
        (_title(install, "installs the CCM"), list(_install_branches(install, verbose))) for install in found.installs
    ]
    for title, branches in trees:
        yield printable(title) + "\n"
        for number, (branch, twigs) in enumerate(branches):
            is_last = number == len(branches) - 1
            yield f"{'└─' if is_last else '├─'} {printable(branch)}\n"
            for twig in twigs:
                yield f"{'  ' if is_last else '│ '}    {printable(twig)}\n"
    if found.services:
        yield from (f"No cloud.conf near {line}.\n" for line, _ in _services(found.services, verbose=0))
        if verbose:
            yield from (f"  {printable(_service(service))}\n" for service in found.services)
    if verbose:
        for text in found.look_alikes:
            yield printable(f"{text.path}:{text.line}  not taken for a cloud.conf: {text.reason}") + "\n"
            yield from (f"    {printable(line)}\n" for line in _signs(text.signs))


def _title(found: FoundConf | FoundInstall, what: str) -> str:
    """The place and the object; of what a kustomization builds, that first: it tells one overlay from another."""
    title = f"{found.path}:{found.line}" if found.line else found.path
    root = found.deployment.partition(" › ")[0]
    return f"{title}  {found.object or what}" if root == found.path else f"{root}  {title}  {found.object or what}"


def _branches(conf: FoundConf, verbose: int) -> Iterator[tuple[str, list[str]]]:
    """The lines below a cloud.conf, each with those of its proof."""
    if verbose and conf.reason:
        yield f"taken for a cloud.conf: {conf.reason}", _signs(conf.signs)
    if verbose and conf.route and conf.route != conf.object:
        yield conf.route, []
    yield f"read by {conf.reader}", _evidence(*conf.read_by) if verbose else []
    if conf.release.values:
        yield f"release {_fact(conf.release)}", _evidence(conf.release, conf.rejected) if verbose else []
    if conf.cluster_name is not None:
        yield from _cluster(conf.cluster_name, conf.services, verbose)


def _install_branches(install: FoundInstall, verbose: int) -> Iterator[tuple[str, list[str]]]:
    """The lines below what installs a CCM, each with those of its proof."""
    yield f"cloud.conf unknown: {install.cloud_conf.why}", _proof(install.cloud_conf, verbose)
    yield f"release {_fact(install.release)}", _evidence(install.release, install.rejected) if verbose else []
    yield from _cluster(install.cluster_name, install.services, verbose)


def _cluster(name: Fact[str], services: Sequence[FoundService], verbose: int) -> Iterator[tuple[str, list[str]]]:
    yield f"cluster {_fact(name)}", _proof(name, verbose)
    yield from _services(services, verbose) if services else [("no Services", [])]


def _services(services: Sequence[FoundService], verbose: int) -> Iterator[tuple[str, list[str]]]:
    """How many Services, with the names of the first, and of how many there are only annotations."""
    for is_whole, what in ((True, ""), (False, "annotations alone of ")):
        each = [service for service in services if service.whole is is_whole]
        names = [service.name or _UNNAMED for service in each]
        count = len(names) if is_whole else len(set(names))  # variants of one Service have its name
        if each:
            named = first_of(names, _MOST_NAMES)
            yield (
                f"{what}{count} Service{'' if count == 1 else 's'}: {named}",
                list(map(_service, each)) if verbose else [],
            )


def _signs(signs: Sequence[FactPlace]) -> list[str]:
    """The heaviest signs of a text."""
    more = len(signs) - _MOST_SIGNS
    return [str(place) for place in signs[:_MOST_SIGNS]] + ([f"and {more} lighter ones"] if more > 0 else [])


def _fact(fact: Fact[str]) -> str:
    """A fact in a few words: its value, and where it comes from or why it is assumed."""
    values = " or ".join(fact.values)
    if fact.state is State.ASSUMED:
        return f"{values}, {fact.why if fact.why.startswith(ASSUMED) else f'{ASSUMED}: {fact.why}'}"
    if fact.state is State.ONE_OF and fact.why:
        return fact.why
    if fact.state is State.UNKNOWN and fact.why:
        return f"unknown: {fact.why}"
    if not fact.places:
        return values
    where = fact.places[0].where
    return f"{values}, {where}" if where.startswith("--") else f"{values}, from {where}"


def _evidence(fact: Fact[str], rejected: Sequence[Rejected]) -> list[str]:
    """What says a fact, and what was not heeded."""
    return [*_proof(fact, verbose=1), *(f"not {one.place}: {one.why}" for one in rejected)]


def _rejected_data(rejecteds: Sequence[Rejected]) -> list[dict[str, object]]:
    return [{**rejected.place._asdict(), "why": rejected.why} for rejected in rejecteds]


def _proof(fact: Fact[str], verbose: int) -> list[str]:
    return [str(place) for place in fact.places] if verbose else []


def _service(service: FoundService) -> str:
    return f"Service {service.name or _UNNAMED}  {service.path}:{service.line}"
