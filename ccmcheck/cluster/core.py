"""All that the rooms of `cluster` use of the rest of the package; each name is loaded at its first use.

``core.pyi`` lists them, for type checkers and for this module.
"""

from collections.abc import Iterator
from importlib import import_module

from ccmcheck.base.data_files import read_text


def _places() -> Iterator[tuple[str, tuple[str, str]]]:
    """Each name, and where it is in the package: a module, and a name or another module in it."""
    for line in read_text(__file__, "core.pyi").split("\n"):
        if line.startswith("from "):
            module, names = line.removeprefix("from ").split(" import ")
            for name in names.split(", "):
                yield name.rpartition(" ")[2], (module, name.partition(" ")[0])


_PLACES = dict(_places())


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(name)
    module, inner = _PLACES[name]
    try:
        found: object = getattr(import_module(module), inner)
    except AttributeError:
        found = import_module(f"{module}.{inner}")
    globals()[name] = found
    return found
