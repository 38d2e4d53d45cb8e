"""Changes to the objects of the small API server, as the real one makes them: preconditions, owners, dry runs."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

from api_faults import Fault, status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from api_server import ApiServer
    from loopback import Asked

Object = dict[str, Any]
Path = tuple[str, ...]

_TIME = "2026-11-03T10:00:00Z"
_KINDS = {"services": "Service", "namespaces": "Namespace", "pods": "Pod", "secrets": "Secret"}
_REVIEW = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
_NOT_OWNED = {("apiVersion",), ("kind",)}


class RefusedError(Exception):
    """The request is refused with this answer."""

    def __init__(self, answer: Fault) -> None:
        super().__init__()
        self.answer = answer


def write(server: ApiServer, asked: Asked) -> Fault:
    """The answer of a request that changes something, unless it is a dry run."""
    try:
        found = _changed(server, asked)
    except RefusedError as error:
        return error.answer
    return Fault(201 if asked.method == "POST" else 200, json.dumps(found).encode())


def _changed(server: ApiServer, asked: Asked) -> Object:
    body: Object = json.loads(asked.body) if asked.body else {}
    if asked.path == _REVIEW:
        return {"kind": "SelfSubjectReview", "status": {"userInfo": {"username": server.user}}}
    if asked.method == "POST":
        return _created(server, asked, body)
    old = server.objects.get(asked.path)
    is_apply = asked.method == "PATCH" and asked.headers["content-type"] == "application/apply-patch+yaml"
    if old is None:
        if not is_apply:
            raise RefusedError(status(404))
        return _created(server, asked._replace(path=asked.path.rpartition("/")[0]), body)
    if asked.method == "DELETE":
        return _deleted(server, asked, old, body)
    _hold_preconditions(body.get("metadata", {}), old)
    if is_apply:
        new = _applied(asked, old, body)
    else:
        new = merged(old, body) if asked.method == "PATCH" else {**body, "apiVersion": old["apiVersion"]}
        new["metadata"] = {**new["metadata"], "managedFields": old["metadata"].get("managedFields", [])}
        _own(new, _manager(asked), "Update", changed_paths(old, new))
    if server.admit is not None:
        new = server.admit(new)
    _hold_immutable(old, new)
    return _stored(server, asked, new)


def _stored(server: ApiServer, asked: Asked, new: Object) -> Object:
    if asked.query.get("dryRun") == "All":
        return new
    server.version += 1
    new["metadata"]["resourceVersion"] = str(server.version)
    server.put(asked.path, new)
    for react in server.controllers:
        react(asked, new)
    return new


def _created(server: ApiServer, asked: Asked, body: Object) -> Object:
    new = copy.deepcopy(body)
    metadata = new.setdefault("metadata", {})
    resource = asked.path.rpartition("/")[2]
    if not metadata.get("name"):
        metadata["name"] = metadata.get("generateName", "") + f"{server.version:05}"
    path = f"{asked.path}/{metadata['name']}"
    if path in server.objects:
        raise RefusedError(status(409, reason="AlreadyExists"))
    if "/namespaces/" in asked.path:
        metadata["namespace"] = asked.path.partition("/namespaces/")[2].partition("/")[0]
    metadata.update(uid=f"uid-of-{server.version}", creationTimestamp=_TIME, managedFields=[])
    new.setdefault("apiVersion", "v1")
    new.setdefault("kind", _KINDS.get(resource, ""))
    operation = "Apply" if asked.headers["content-type"].startswith("application/apply") else "Update"
    _own(new, _manager(asked), operation, set(_leaves(body)) - _NOT_OWNED)
    if server.admit is not None:
        new = server.admit(new)
    return _stored(server, asked._replace(path=path), new)


def _deleted(server: ApiServer, asked: Asked, old: Object, body: Object) -> Object:
    _hold_preconditions(body.get("preconditions", {}), old)
    if asked.query.get("dryRun") == "All" or body.get("dryRun"):
        return old
    server.version += 1
    if old["metadata"].get("finalizers"):
        new = copy.deepcopy(old)
        new["metadata"]["deletionTimestamp"] = _TIME
        return _stored(server, asked, new)
    server.remove(asked.path)
    for react in server.controllers:
        react(asked, old)
    return {"kind": "Status", "apiVersion": "v1", "status": "Success"}


def _applied(asked: Asked, old: Object, body: Object) -> Object:
    """Server-side apply: conflicts with other owners, and what this manager applied before and applies no more."""
    manager = _manager(asked)
    wanted = set(_leaves(body)) - _NOT_OWNED
    wanted = {path for path in wanted if path[0] != "metadata" or path[1] in ("annotations", "labels")}
    causes = [
        {
            "reason": "FieldManagerConflict",
            "message": f'conflict with "{entry["manager"]}" using v1',
            "field": "".join(f".{name}" for name in path),
        }
        for entry in _entries(old)
        if (entry["manager"], entry["operation"]) != (manager, "Apply")
        for path in sorted(wanted & set(owned(entry)))
        if _at(old, path) != _at(body, path)
    ]
    if causes and asked.query.get("force") != "true":
        raise RefusedError(status(409, "Apply failed with conflicts", "Conflict", causes=causes))
    before = {
        path
        for entry in _entries(old)
        if (entry["manager"], entry["operation"]) == (manager, "Apply")
        for path in owned(entry)
    }
    new: Object = merged(
        old, {**body, "metadata": {k: v for k, v in body.get("metadata", {}).items() if k != "resourceVersion"}}
    )
    for path in before - wanted:
        parent = _at(new, path[:-1])
        if isinstance(parent, dict):
            parent.pop(path[-1], None)
    new["metadata"]["managedFields"] = [
        entry for entry in _entries(old) if (entry["manager"], entry["operation"]) != (manager, "Apply")
    ]
    changed = {path for path in wanted if _at(old, path) != _at(new, path)}
    _own(new, manager, "Apply", wanted, taken=changed)
    return new


def _own(obj: Object, manager: str, operation: str, paths: Iterable[Path], taken: set[Path] | None = None) -> None:
    """Give fields to a manager; those whose values changed are no longer owned by others."""
    wanted = {path for path in paths if path[0] not in ("apiVersion", "kind", "status") and _is_owned(path)}
    lost = wanted if taken is None else taken
    entries = []
    mine: set[Path] = set()
    for entry in _entries(obj):
        if (entry["manager"], entry["operation"]) == (manager, operation):
            mine = set(owned(entry))
            continue
        left = set(owned(entry)) - lost
        if left:
            entries.append({**entry, "fieldsV1": _nested(left)})
    everything = {path for path in mine | wanted if _at(obj, path) is not None}
    if everything:
        entries.append(
            {
                "manager": manager,
                "operation": operation,
                "apiVersion": "v1",
                "time": _TIME,
                "fieldsType": "FieldsV1",
                "fieldsV1": _nested(everything),
            }
        )
    obj["metadata"]["managedFields"] = entries


def _is_owned(path: Path) -> bool:
    return path[0] != "metadata" or (len(path) > 1 and path[1] in ("annotations", "labels", "finalizers"))


def owned(entry: Object) -> Iterator[Path]:
    """The fields of an entry of managedFields."""
    yield from _unnested(entry.get("fieldsV1", {}), ())


def _unnested(fields: Object, path: Path) -> Iterator[Path]:
    names = [name for name in fields if name != "."]
    if not names and path:
        yield path
    for name in names:
        yield from _unnested(fields[name], (*path, name.removeprefix("f:")))


def _nested(paths: Iterable[Path]) -> Object:
    fields: Object = {}
    for path in sorted(paths):
        node = fields
        for name in path:
            node = node.setdefault(f"f:{name}", {})
    return fields


def changed_paths(old: Object, new: Object) -> set[Path]:
    """The leaves that differ."""
    paths = {*_leaves(old), *_leaves(new)}
    return {path for path in paths if _at(old, path) != _at(new, path)}


def _leaves(value: object, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict) and value:
        for key, child in value.items():
            yield from _leaves(child, (*path, key))
    elif path:
        yield path


def _at(value: Any, path: Path) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def merged(old: Any, patch: Any) -> Any:
    """A JSON merge patch (RFC 7386) of an object."""
    if not isinstance(patch, dict):
        return copy.deepcopy(patch)
    result = copy.deepcopy(old) if isinstance(old, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


def _entries(obj: Object) -> list[Object]:
    found: list[Object] = obj["metadata"].get("managedFields") or []
    return found


def _manager(asked: Asked) -> str:
    return asked.query.get("fieldManager") or asked.headers.get("user-agent", "").partition("/")[0]


def _hold_preconditions(wanted: Object, old: Object) -> None:
    for name in ("resourceVersion", "uid"):
        if wanted.get(name) not in (None, "", old["metadata"].get(name)):
            raise RefusedError(status(409, "the object has been modified", "Conflict"))


def _hold_immutable(old: Object, new: Object) -> None:
    if old.get("immutable") and any(old.get(field) != new.get(field) for field in ("data", "immutable")):
        cause = {
            "reason": "FieldValueForbidden",
            "message": "field is immutable when `immutable` is set",
            "field": "data",
        }
        raise RefusedError(status(422, "Secret is invalid", "Invalid", causes=[cause]))
