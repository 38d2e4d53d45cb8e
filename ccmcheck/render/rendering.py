"""From a request to a text: gather the settings, fill the template, lint what comes out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ccmcheck import __version__, catalog
from ccmcheck.base.child import in_child
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.conf.assignments import Assignment, assignment
from ccmcheck.redact import masked_heading
from ccmcheck.redact.masker import MASK, is_secret_name, mask_text
from ccmcheck.render.environment import LIMITS, TEMPLATES, environment, fill, find
from ccmcheck.render.settings import BALANCER, GLOBAL, ConfSection, ConfSettings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jinja2.sandbox import ImmutableSandboxedEnvironment

    from ccmcheck.base.model import Finding
    from ccmcheck.catalog import Schema

_CONF = TEMPLATES["cloud.conf"].file
_LOGINS = frozenset({"auth-url", "use-clouds"})
_FILES = frozenset({"ca-file", "cert-file"})
_IN_IMAGE = "/etc/ssl/certs/"
"""What the CCM's image brings itself."""


class RenderRequest(NamedTuple):
    """What to render; it may hold secrets.

    Attributes:
        template: The template's name.
        release: The CCM release that reads the result; empty for the newest.
        clouds: A clouds.yaml; None to look for one.
        cloud: The cloud in it; None for the default.
        region: The cloud's region; None for the default.
        config: A file whose cloud.conf's settings are taken over; None for none.
        data: What that file holds; None to read it.
        assignments: Settings as ``[Section.]key=value``, which win over all others.
        profile: The profile; None for the default, or for none where ``config`` is given.
        name: The object's name; None for the template's own.
        namespace: Its namespace; None for the template's own.
        variables: Further variables, for the template and for ``config``.
        folder: The user's own templates; None for none.
        enforce: Whether the policies of ``admission`` refuse Services.
    """

    template: str
    release: str = ""
    clouds: str | None = None
    cloud: str | None = None
    region: str | None = None
    config: str | None = None
    data: bytes | None = None
    assignments: Sequence[str] = ()
    profile: str | None = None
    name: str | None = None
    namespace: str | None = None
    variables: Mapping[str, str] = {}
    folder: str | None = None
    enforce: bool = False

    def __repr__(self) -> str:
        return f"<RenderRequest for {self.template}>"


class Rendered(NamedTuple):
    """What came out.

    Attributes:
        text: The text, with its secrets.
        shown: The same with its secrets masked, under a line that no tool gets past; equal where there are none.
        findings: What the linter says about it at the release asked for.
        notes: What else somebody should know, a sentence each.
    """

    text: str
    shown: str
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Rendered, {len(self.text)} characters>"


def render(request: RenderRequest) -> Rendered:
    """Render a template.

    Args:
        request: What to render.

    Raises:
        WrongUse: A name that does not exist, something that is missing, or a template that fails.
        InputError: A file cannot be read.
    """
    template = find(request.template, request.folder)
    schema = catalog.schema(catalog.release(request.release) if request.release else catalog.newest())
    gathered = _Gathered(request, schema)
    if request.folder is None:
        filled = _filled(template.file, request, gathered)
    else:
        filled = in_child(partial(_filled, template.file, request, gathered), LIMITS, f"{template.file}: the template")
    shown, text, has_settings, logged_in, notes = filled
    writes_settings = request.template in TEMPLATES
    if writes_settings and not has_settings:
        raise WrongUse(
            f"There is nothing to write: no setting is left for the CCM {schema.release.name}.",
            "Add some with --set KEY=VALUE, or with --profile recommended.",
        )
    findings = _lint(template.makes, text, schema, explicit=writes_settings)
    fatal = next((finding for finding in findings if finding.fatal), None)
    if fatal is not None:
        raise WrongUse(f"The CCM {schema.release.name} would not start with this: {fatal.label}.", fatal.help)
    if gathered.names_cloud and not logged_in:
        notes.append(f"the template {request.template} takes nothing from a cloud")
    if shown != text:
        shown = masked_heading("file") + shown
    return Rendered(text, shown, findings, tuple(dict.fromkeys(notes)))


class _Filled(NamedTuple):
    """What a template comes to: masked and whole, whether there is a setting, and what the way there left."""

    shown: str
    text: str
    has_settings: bool
    logged_in: bool
    notes: list[str]


def _filled(file: str, request: RenderRequest, gathered: _Gathered) -> _Filled:
    """Fill a template twice, with masked secrets first: whatever fails, fails there, and its words hold none."""
    jinja = environment(request.folder)
    shown = _fill(jinja, file, request, gathered, masked=True)
    has_settings = bool(gathered.sections(masked=True, login=gathered.logged_in))
    text = _fill(jinja, file, request, gathered, masked=False)
    return _Filled(shown, text, has_settings, gathered.logged_in, gathered.notes)


class _Gathered:
    """The settings of one request.

    The login comes last and only where a template asks for it, so that a template without credentials needs no cloud.
    """

    def __init__(self, request: RenderRequest, schema: Schema) -> None:
        self.request = request
        self.schema = schema
        self.logged_in = False
        self.names_cloud = any(name is not None for name in (request.clouds, request.cloud, request.region))
        self.notes: list[str] = []
        self.assigned = [_assignment(text, schema) for text in request.assignments]
        self.settings = ConfSettings(schema)
        self.profile = request.profile
        if request.config is not None:
            from ccmcheck.render.existing import take_over

            self.settings, left_out = take_over(request.config, request.data, schema, request.variables)
            self.notes += left_out
        self._assign()
        from ccmcheck.render import profiles

        if self.profile is None and request.config is None:
            self.profile = profiles.RECOMMENDED
        if self.profile is not None:
            asked = {one.key: one.value or "" for one in self.assigned if one.section == BALANCER}
            self.notes += profiles.apply(self.profile, self.settings, asked, fresh=request.config is None)
        self._assign()

    def sections(self, *, masked: bool, login: bool = True) -> tuple[ConfSection, ...]:
        """The sections of the cloud.conf.

        Args:
            masked: Whether its secrets are masked.
            login: Whether [Global] is among them, which says how to log in and where.
        """
        if login:
            self._log_in()
        settings = self.settings.masked() if masked else self.settings
        return settings.sections(() if login else (GLOBAL,))

    def _assign(self) -> None:
        """Put what the command line sets over everything else."""
        found_assignment: dict[tuple[str, str | None, str], list[Assignment]] = {}
        for one in self.assigned:
            found_assignment.setdefault((one.section, one.subsection, one.key), []).append(one)
        for (section, subsection, key), several in found_assignment.items():
            spec = self.schema.section(section)
            key_spec = spec.key(key) if spec is not None else None
            values = [one.value or "" for one in several]
            many = key_spec is not None and key_spec.type == "list"
            self.settings.put(section, key, values if many else values[-1:], subsection)

    def _log_in(self) -> None:
        if self.logged_in:
            return
        self.logged_in = True
        request = self.request
        by_hand = any(one.section == GLOBAL and one.key in _LOGINS for one in self.assigned)
        if not self.names_cloud and (request.config is not None or by_hand):
            return
        from ccmcheck.render.clouds_yaml import load
        from ccmcheck.render.login import login

        cloud = load(request.clouds, request.cloud, request.region)
        self.notes += cloud.notes
        self.settings.clear(GLOBAL)
        for key, value in login(cloud, self.schema).items():
            self.settings.put(GLOBAL, key, [value])
            if key in _FILES and not value.startswith(_IN_IMAGE):
                self.notes.append(f"{key} is {value}: that file must be in the CCM's container, too")
        self._assign()


def _assignment(text: str, schema: Schema) -> Assignment:
    if "=" not in text:
        name = mask_text(text)
        raise WrongUse(f"`{name}` has no value.", f"Write --set {name}=VALUE.")
    return assignment(text, schema)


def _fill(
    jinja: ImmutableSandboxedEnvironment, file: str, request: RenderRequest, gathered: _Gathered, *, masked: bool
) -> str:
    def sections(login: bool = True) -> tuple[ConfSection, ...]:
        return gathered.sections(masked=masked, login=login)

    def cloud_conf(login: bool = True) -> str:
        return fill(jinja, _CONF, {**values, "sections": partial(sections, login)})

    def chart_values() -> dict[str, dict[str, str]] | None:
        from ccmcheck.render.chart import chart_values, fits

        return chart_values(sections()) if fits(gathered.sections(masked=False), gathered.schema) else None

    def admission() -> str:
        from ccmcheck.render.admission.policies import policies

        return policies(cloud_conf(login=False), gathered.schema.release, enforce=request.enforce)

    values: dict[str, object] = {
        name: _masked(name, value) if masked else value for name, value in request.variables.items()
    }
    values |= {
        name: value for name, value in (("name", request.name), ("namespace", request.namespace)) if value is not None
    }
    values |= {
        "release": gathered.schema.release.name,
        "profile": gathered.profile or "",
        "sections": sections,
        "cloud_conf": cloud_conf,
        "chart_values": chart_values,
        "admission": admission,
        "enforce": request.enforce,
        "version": __version__,
    }
    text = fill(jinja, file, values)
    # what the user's own templates say themselves is nobody's setting
    return mask_text(text) if masked and request.folder is not None else text


def _masked(name: str, value: str) -> str:
    return MASK if is_secret_name(name) else mask_text(value)


def _lint(path: str, text: str, schema: Schema, *, explicit: bool) -> tuple[Finding, ...]:
    """What the linter says about the text, as a final file of its own.

    Args:
        path: What it is called.
        text: The text.
        schema: Who reads it.
        explicit: False where it may be anything, so that it counts by what it says.
    """
    from ccmcheck.carriers.base import RunContext
    from ccmcheck.carriers.collector import FindOptions
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.lint.engine import Linter
    from ccmcheck.lint.settings import Settings as LintSettings

    settings = LintSettings(
        (TargetRelease(schema.consumer, schema.release, "--release"),), find=FindOptions(template=False)
    )
    analysis = Linter(settings, RunContext()).examine(path, text, explicit=explicit)
    if analysis.failures:
        failure = analysis.failures[0]
        raise WrongUse(f"What the template makes cannot be read, line {failure.line}: {failure.message}.")
    findings = [located.finding for located in analysis.problems]
    return tuple(sorted(findings, key=lambda finding: -finding.severity))
