"""JSON Schemas of other tools' files, from the package check-jsonschema, which keeps copies of them; nothing is fetched."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from jsonschema.protocols import Validator


def schema_errors(name: str, document: Any) -> list[str]:
    """What a schema finds wrong.

    Args:
        name: ``gitlab-ci``, ``github-workflows``, ``github-actions``, ``renovate``, ``dependabot``.
        document: The document, parsed.
    """
    errors = _validator(name).iter_errors(document)
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in errors]


@cache
def _validator(name: str) -> Validator:
    spec = find_spec("check_jsonschema")
    if spec is None or spec.origin is None:
        pytest.skip("check-jsonschema, which holds the schemas, is not installed: pip install -e '.[dev]'")
    path = Path(spec.origin).parent / "builtin_schemas" / "vendor" / f"{name}.json"
    schema: Any = json.loads(path.read_text(encoding="utf-8"))
    made: Validator = jsonschema.validators.validator_for(schema)(schema)
    return made
