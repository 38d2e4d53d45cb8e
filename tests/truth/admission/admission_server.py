"""The policies in the real API server: created, in force, and what it says of a Service."""

from __future__ import annotations

import json
import ssl
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

if TYPE_CHECKING:
    from kube_server import Running

Object = dict[str, Any]

ADMISSION = "/apis/admissionregistration.k8s.io/v1"
_PLURALS = {
    "ValidatingAdmissionPolicy": "validatingadmissionpolicies",
    "ValidatingAdmissionPolicyBinding": "validatingadmissionpolicybindings",
}
_QUOTED = {'\\"': '"', "\\\\": "\\"}


class Answer(NamedTuple):
    """What the API server says.

    Attributes:
        status: The HTTP status.
        warnings: Its warnings.
        message: Why it refuses.
        body: The object, or the Status.
    """

    status: int
    warnings: list[str]
    message: str
    body: Object


def send(server: Running, method: str, path: str, body: Object | None = None, kind: str = "application/json") -> Answer:
    """A request of the administrator's, with the warnings of its answer."""
    request = urllib.request.Request(
        f"https://127.0.0.1:{server.port}{path}",
        method=method,
        data=json.dumps(body).encode() if body is not None else None,
        headers={"Authorization": f"Bearer {server.tokens['admin']}", "Content-Type": kind},
    )
    context = ssl.create_default_context(cafile=str(server.authority))
    try:
        with urllib.request.urlopen(request, context=context, timeout=20) as answer:  # noqa: S310 - https
            found = json.load(answer)
            return Answer(answer.status, list(map(_text, answer.headers.get_all("Warning", []))), "", found)
    except urllib.error.HTTPError as error:
        found = json.load(error)
        return Answer(error.code, list(map(_text, error.headers.get_all("Warning", []))), found["message"], found)


def _text(header: str) -> str:
    """The text of a Warning header: ``299 - "text"``, of which urllib takes the UTF-8 for Latin-1."""
    quoted = header.partition(' "')[2].removesuffix('"')
    for escape, char in _QUOTED.items():
        quoted = quoted.replace(escape, char)
    return quoted.encode("latin-1").decode()


def create(server: Running, manifests: str, namespace: str, *, strict: bool = True) -> list[str]:
    """Create policies for one namespace alone; their names.

    Args:
        server: The API server.
        manifests: As they are rendered.
        namespace: Where they are in force, which becomes a part of their names.
        strict: Whether an expression that fails is a warning or a refusal, too.
    """
    names = []
    for document in yaml.safe_load_all(manifests):
        name = f"{document['metadata']['name']}-{namespace}"
        document["metadata"]["name"] = name
        spec = document["spec"]
        if document["kind"].endswith("Binding"):
            spec["policyName"] = name
            spec["matchResources"] = {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}}}
        else:
            names.append(name)
            if strict:
                spec["failurePolicy"] = "Fail"
        answer = send(server, "POST", f"{ADMISSION}/{_PLURALS[document['kind']]}?fieldValidation=Strict", document)
        assert answer.status == 201, (name, answer.message)
    return names


def wait(server: Running, namespace: str, service: Object) -> None:
    """Wait until the policies of a namespace say something of a Service."""
    for _ in range(100):
        answer = send(server, "POST", f"/api/v1/namespaces/{namespace}/services?dryRun=All", service)
        if answer.warnings or answer.status == 422:
            time.sleep(1.0)  # policies come into force one after another
            return
        time.sleep(0.1)
    raise AssertionError(f"the policies of {namespace} are not in force")
