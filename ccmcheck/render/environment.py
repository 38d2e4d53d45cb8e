"""jinja2, in a sandbox and with every mistake told: an undefined variable is an error, and nothing is escaped.

A template's own errors may quote what it was given. So a template is rendered with masked secrets first: whatever
fails, fails there, and its words hold none.

The templates there are: those that ccmcheck ships, and those of a folder that the user names.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from ccmcheck.base.boundary import HINT, LeadsOut, leads_out, refuse, work_tree
from ccmcheck.base.child import ChildLimits
from ccmcheck.base.errors import CcmcheckError, WrongUse
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.yaml_string import yaml_string
from ccmcheck.conf.assignments import spell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from jinja2.sandbox import ImmutableSandboxedEnvironment

_SUFFIX = ".j2"


class Template(NamedTuple):
    """One template.

    Attributes:
        file: Its file.
        about: What it makes, in a few words.
    """

    file: str
    about: str

    @property
    def makes(self) -> str:
        """What the file that it makes is called by people, and by those who tell kinds of files by their names."""
        return self.file.removesuffix(_SUFFIX)


TEMPLATES: dict[str, Template] = {
    "cloud.conf": Template("cloud.conf.j2", "the file itself"),
    "secret": Template("secret.yaml.j2", "the Secret that the CCM mounts, kube-system/cloud-config"),
    "configmap": Template("configmap.yaml.j2", "OpenShift's openshift-config/cloud-provider-config"),
    "kustomize": Template("kustomization.yaml.j2", "a kustomization that makes the Secret, or patches it"),
    "cluster-resource-set": Template("cluster-resource-set.yaml.j2", "a ClusterResourceSet that applies the Secret"),
    "clusterclass-patch": Template("clusterclass-patch.yaml.j2", "a ClusterClass patch for the control plane's nodes"),
    "helm-values": Template("helm-values.yaml.j2", "values of the upstream chart"),
}
"""The files with a cloud.conf that ccmcheck ships, by the name that users give."""

WITHOUT_CONF: dict[str, Template] = {
    "admission": Template("admission.yaml.j2", "ValidatingAdmissionPolicies that judge new Services"),
    "dashboard": Template("dashboard.json.j2", "a Grafana dashboard for --format prometheus"),
    "report-cronjob": Template("report-cronjob.yaml.j2", "a CronJob that writes Reports and pushes metrics"),
}
"""What ccmcheck ships besides: files about clusters, without a cloud.conf in them."""


@cache
def shipped() -> str:
    """The folder of the templates that ccmcheck ships: in the package once installed, beside it in the repository."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    inside = os.path.join(package, "templates")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(package), "templates")


def find(name: str, folder: str | None) -> Template:
    """Look a template up.

    Args:
        name: As the user gives it: ``secret``, or the beginning of a file's name in ``folder``.
        folder: The user's templates, whose files win over those of the same name.

    Raises:
        WrongUse: There is no such template, or no such folder.
    """
    own = _own(folder) if folder is not None else {}
    shipped_ones = TEMPLATES | WITHOUT_CONF
    known = shipped_ones | own
    if name in shipped_ones:
        return shipped_ones[name]
    if name in own:
        return own[name]
    from ccmcheck.base.suggest import hint

    raise WrongUse(f"There is no template `{name}`.", hint(name, known) or f"There are {', '.join(known)}.")


def _own(folder: str) -> dict[str, Template]:
    try:
        refuse(folder)
        files = sorted(file for file in os.listdir(folder) if file.endswith(_SUFFIX))
    except LeadsOut as error:
        raise WrongUse(f"--template-dir {folder} cannot be read: {error.message}.", error.hint) from None
    except OSError as error:
        raise WrongUse(
            f"--template-dir {folder} cannot be read: {(error.strerror or type(error).__name__).lower()}."
        ) from None
    found: dict[str, Template] = {}
    for file in files:
        template = Template(file, "")
        found.setdefault(template.makes.removesuffix(".yaml"), template)
    return found


_VARIABLE = lazy_regex(r"'\w+' is undefined\Z")

SHIPPED = "ccmcheck"
"""The prefix by which a template of the user's includes or extends one that is shipped: ``ccmcheck/secret.yaml.j2``."""


LIMITS = ChildLimits(seconds=5, most_bytes=256 * 1024**2)
"""Of all templates of a run that are the user's; those that are shipped take some milliseconds."""
MOST_CHARACTERS = 10_000_000
"""What one template may write."""


class _TooMuch(Exception):
    """A template writes too much; the message is a predicate of it."""


def environment(folder: str | None) -> ImmutableSandboxedEnvironment:
    """Jinja2, set up; once for the shipped templates, whose compilation is half of what a rendering takes.

    Args:
        folder: The user's templates, which may change; None for the shipped ones alone.
    """
    return _of_shipped() if folder is None else _set_up(folder)


@cache
def _of_shipped() -> ImmutableSandboxedEnvironment:
    return _set_up(None)


def _set_up(folder: str | None) -> ImmutableSandboxedEnvironment:
    from jinja2 import ChoiceLoader, FileSystemLoader, FunctionLoader, PrefixLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    ours = FileSystemLoader(shipped())
    own = [FunctionLoader(_reader(folder))] if folder is not None else []
    found = ImmutableSandboxedEnvironment(
        loader=ChoiceLoader([*own, ours, PrefixLoader({SHIPPED: ours})]),
        undefined=StrictUndefined,
        autoescape=False,  # YAML and INI are written, not HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    del found.globals["namespace"]  # jinja2's own function of that name would stand for an object's
    found.filters["gcfg"] = _gcfg
    found.filters["yaml_string"] = yaml_string
    found.filters["b64encode"] = _b64encode
    return found


def _reader(folder: str) -> Callable[[str], tuple[str, str, None] | None]:
    """Reads the templates of a folder, and what they include, as long as that is in the checkout."""
    from jinja2.loaders import split_template_path

    from ccmcheck.base.open_input import read_text

    real = os.path.realpath(folder)
    checkout = work_tree(real) or real

    def read(name: str) -> tuple[str, str, None] | None:
        path = os.path.join(folder, *split_template_path(name))
        if not os.path.isfile(path):
            return None
        top = leads_out(path, checkout) or leads_out(path)
        if top:
            raise WrongUse(f"{path} leads out of {top}.", HINT)
        return read_text(path), path, None

    return read


def fill(jinja: ImmutableSandboxedEnvironment, file: str, values: Mapping[str, object]) -> str:
    """Render one template.

    Args:
        jinja: The environment.
        file: The template's file.
        values: Its variables.

    Raises:
        WrongUse: The template cannot be read, or fails.
    """
    from jinja2 import TemplateNotFound, TemplateSyntaxError, UndefinedError
    from jinja2.exceptions import SecurityError

    try:
        return _written(jinja.get_template(file).generate(values))
    except _TooMuch as error:
        raise WrongUse(f"{file}: the template {error}.", "Does it repeat something too often?") from None
    except TemplateSyntaxError as error:
        raise WrongUse(f"{error.name or file}:{error.lineno}: {error.message}.") from None
    except TemplateNotFound as error:
        raise WrongUse(f"{file}: there is no template {error.name}.") from None
    except UndefinedError as error:
        # anything but a variable's name may be a value
        words = _VARIABLE.match(error.message or "")
        what = words[0] if words is not None else "something in it is undefined"
        raise WrongUse(
            f"{_place(error, file)}: {what}.", "Give it with --var NAME=VALUE, or a default in the template."
        ) from None
    except SecurityError:
        raise WrongUse(f"{file}: the template does something that no template may do.") from None
    except (CcmcheckError, MemoryError):
        raise
    except UnicodeDecodeError:
        raise WrongUse(f"{file}: the template is not UTF-8.") from None
    except RecursionError:
        raise WrongUse(f"{file}: the template includes itself.") from None
    except Exception as error:  # noqa: BLE001 - a template may call anything with anything
        raise WrongUse(f"{_place(error, file)}: the template fails with {type(error).__name__}.") from None


def _written(pieces: Iterable[str]) -> str:
    """Put together what a template writes, as long as it is not too much."""
    length = 0
    whole: list[str] = []
    for piece in pieces:
        length += len(piece)
        if length > MOST_CHARACTERS:
            raise _TooMuch(f"writes more than {MOST_CHARACTERS:,} characters")
        whole.append(piece)
    return "".join(whole)


def _place(error: BaseException, file: str) -> str:
    """The innermost line of a template that an error comes from; jinja2 puts them into the traceback."""
    place = file
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name.endswith(".j2"):
            place = f"{name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def _gcfg(value: object) -> str:
    return spell(str(value))


def _b64encode(value: object) -> str:
    import base64

    return base64.b64encode(str(value).encode()).decode()
