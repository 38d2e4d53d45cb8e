"""Puts one cloud together as openstacksdk does.

clouds.yaml says the most, secure.yaml is merged over it, and clouds-public.yaml gives what its ``profile`` leaves out.
Words that came and went (``tenant_name``, ``endpoint_type``, one ``domain_name`` for user and project) are turned into
today's.

Source: openstacksdk 4.22 openstack/config/loader.py; keystoneauth1 5.18 loading/identity.py, which gives the options of
each ``auth_type``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from ccmcheck.base.data_files import read_table
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import hint
from ccmcheck.redact.masker import mask_text
from ccmcheck.render.clouds_yaml.files import LocatedNode, clouds, find, search_path, switch, text, union
from ccmcheck.yamlio import Scalar

_PLACEHOLDER = lazy_regex(r"\{(\w+)\}")
_LIKE_TRUE = "true"

_AUTH_FIELDS = [(where, name, words.split()) for where, name, words in read_table(__file__, "auth_fields.tsv")]


class Cloud(NamedTuple):
    """One cloud; it holds its secrets.

    Attributes:
        name: Its name.
        source: The clouds.yaml.
        auth_type: As written; empty where nothing is.
        auth: How to log in, in Keystone's words: ``auth_url``, ``username``, ``project_domain_name`` …
        region: The region; empty where none is named.
        interface: ``public``, ``internal`` or ``admin``; empty where none is named.
        verify: False where certificates are not checked.
        cacert: The path of the authority's certificate.
        cert: The path of the client's certificate.
        key: The path of its key.
        notes: What somebody may want to know about it, a sentence each.
    """

    name: str
    source: str
    auth_type: str
    auth: Mapping[str, str]
    region: str
    interface: str
    verify: bool
    cacert: str
    cert: str
    key: str
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Cloud {self.name}>"  # the values may be secrets


def load(path: str | None = None, name: str | None = None, region: str | None = None) -> Cloud:
    """Read one cloud.

    Args:
        path: The clouds.yaml; None for ``OS_CLIENT_CONFIG_FILE`` or the first on the `search_path`. A secure.yaml and a
            clouds-public.yaml beside it come before those on the path.
        name: The cloud; None for ``OS_CLOUD``, or the only one there is.
        region: One of its regions; None for its first.

    Raises:
        WrongUse: There is no such file, cloud or region, or a value is not what it must be.
        InputError: A file cannot be read.
    """
    beside: tuple[str, ...] = ()
    source = path
    if path is None:
        source = find("clouds", "OS_CLIENT_CONFIG_FILE")
    elif os.path.exists(path):
        beside = (os.path.dirname(path) or os.curdir,)
    else:
        raise WrongUse(f"There is no {path}.", "It should be a clouds.yaml.")
    if source is None:
        raise WrongUse(
            f"There is no clouds.yaml in {', '.join(search_path())}.",
            "Name one with --clouds FILE, or take settings over with --cloud-config FILE.",
        )
    known = clouds(source)
    if not known:
        raise WrongUse(f"{source} names no clouds.", "What they are stands below `clouds:`.")
    name = name or os.environ.get("OS_CLOUD") or (next(iter(known)) if len(known) == 1 else None)
    if name is None or name not in known:
        raise _no_cloud(source, name, known)
    own = [known[name]]
    secure = find("secure", "OS_CLIENT_SECURE_FILE", beside)
    private = clouds(secure).get(name) if secure is not None else None
    if private is not None:
        own.append(private)
    return _Builder(name, own, beside).cloud(source, region)


def _no_cloud(source: str, name: str | None, known: Iterable[str]) -> WrongUse:
    names = ", ".join(known)
    if name is None:
        return WrongUse(f"{source} has several clouds: {names}.", "Choose one with --cloud NAME or OS_CLOUD.")
    return WrongUse(f"There is no cloud `{name}` in {source}.", hint(name, known) or f"It has {names}.")


class _Builder:
    """Gathers what several files say about one cloud.

    Args:
        name: The cloud.
        own: What the user's files say, each over those before it.
        beside: Where to look for a clouds-public.yaml first.
    """

    def __init__(self, name: str, own: list[LocatedNode], beside: tuple[str, ...]) -> None:
        self.name = name
        self.notes: list[str] = []
        mine = union(own)
        self.layers = [*self._vendor(mine, beside), *own]
        self.top = union(self.layers)
        self.regions = self._regions(mine if mine.keys() & {"regions", "region_name"} else self.top)

    def cloud(self, source: str, wanted: str | None) -> Cloud:
        """The cloud in one of its regions.

        Args:
            source: Its clouds.yaml.
            wanted: The region; None for the first.
        """
        region, values = self._region(wanted)
        if values is not None:
            self.layers.append(values)
            self.top = union(self.layers)
        top = self.top
        auth = self._auth()
        if "{" in auth.get("auth_url", ""):
            words = {"region_name": region, "interface": self._interface()}
            auth["auth_url"] = _PLACEHOLDER.sub(lambda match: words.get(match[1], match[0]), auth["auth_url"])
        return Cloud(
            self.name,
            source,
            text(top.get("auth_type")) or text(top.get("auth_plugin")),
            auth,
            region,
            self._interface(),
            switch(top.get("verify"), default=True) and not self._is_insecure(),
            os.path.expanduser(text(top.get("cacert"))),
            os.path.expanduser(text(top.get("cert"))),
            os.path.expanduser(text(top.get("key"))),
            tuple(dict.fromkeys(self.notes)),
        )

    def _vendor(self, mine: dict[str, LocatedNode], beside: tuple[str, ...]) -> list[LocatedNode]:
        """What the profile says that the cloud names, where a clouds-public.yaml has it."""
        profile = text(mine.get("profile")) or text(mine.get("cloud"))
        if not profile:
            return []
        path = find("clouds-public", "", beside)
        located_node = clouds(path, "public-clouds").get(profile) if path is not None else None
        if located_node is not None:
            return [located_node]
        self.notes.append(
            f"cloud {self.name} names the profile {mask_text(profile)}, which no clouds-public.yaml has; "
            "what openstacksdk itself knows of it is not known here"
        )
        return []

    def _regions(self, held: dict[str, LocatedNode]) -> list[tuple[str, LocatedNode | None]]:
        """The cloud's regions, each with what is different in it."""
        many = held.get("regions")
        located_node: list[tuple[str, LocatedNode | None]] = []
        for item in (many.items or []) if many is not None else []:
            entries = item.entries
            located_node.append(
                (text(entries["name"]), entries.get("values")) if "name" in entries else (text(item), None)
            )
        one = held.get("region_name")
        if located_node or one is None:
            return located_node
        items = one.items
        names = [text(item) for item in items] if items is not None else text(one).split(",")
        return [(name, None) for name in names if name]

    def _region(self, wanted: str | None) -> tuple[str, LocatedNode | None]:
        names = [name for name, _ in self.regions]
        if not names:
            return wanted or "", None
        if not wanted:
            if len(names) > 1:
                rest = ", ".join(names[1:])
                self.notes.append(
                    f"cloud {self.name}: its first region, {names[0]}, is taken; --region names another ({rest})"
                )
            return self.regions[0]
        if wanted not in names:
            words = hint(wanted, names) or f"It has {', '.join(names)}."
            raise WrongUse(f"The cloud {self.name} has no region `{wanted}`.", words)
        return self.regions[names.index(wanted)]

    def _auth(self) -> dict[str, str]:
        """How to log in, with today's words."""
        top = self.top
        auth = union(value for layer in self.layers if (value := layer.entries.get("auth")) is not None)

        def first(*values: LocatedNode | None) -> str:
            return next((found for value in values if (found := text(value))), "")

        held = {
            name: first(*(place.get(word) for word in words for place in (top, auth)))
            if where == "outside"
            else first(*(place.get(word) for place in (auth, top) for word in words))
            for where, name, words in _AUTH_FIELDS
        }
        for kind in ("id", "name"):
            shared = ""
            if held["project_id"] or held["project_name"]:
                shared = held.pop(f"domain_{kind}")
            by_default = held.pop(f"default_domain_{kind}")
            for whose in ("user", "project"):
                own = held[f"{whose}_domain_id"] or held[f"{whose}_domain_name"]
                held[f"{whose}_domain_{kind}"] = held[f"{whose}_domain_{kind}"] or shared or ("" if own else by_default)
        return {name: found for name, found in held.items() if found}

    def _interface(self) -> str:
        value = self.top.get("endpoint_type") or self.top.get("interface")
        items = value.items if value is not None else None
        if items is not None:
            value = items[0] if items else None
            if len(items) > 1:
                self.notes.append(f"cloud {self.name}: the first of its interfaces is taken, the CCM takes only one")
        return text(value).removesuffix("URL")

    def _is_insecure(self) -> bool:
        value = self.top.get("insecure")
        if value is not None and isinstance(value.node, Scalar) and value.node.style != "plain":
            return text(value).lower() == _LIKE_TRUE
        return switch(value, default=False)
