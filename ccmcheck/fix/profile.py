"""What ``fix --profile`` could not set, in words: the rest are findings of the rule ``profile`` with their fixes."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck import gcfg
from ccmcheck.base.profile import SOFT
from ccmcheck.carriers.base import RunContext
from ccmcheck.conf.view import CloudConf
from ccmcheck.lint.file_analysis import FileAnalysis
from ccmcheck.policy.profiles.description import expected_values
from ccmcheck.policy.profiles.evaluation import Status, evaluate, prescribed_value, release_mismatch
from ccmcheck.redact.masker import Masker, is_secret_name


def left_alone(examined: FileAnalysis, run_context: RunContext) -> list[str]:
    """Say what of the profiles of a run is not so in a file, and could not be made so.

    Args:
        examined: The file after its fixes.
        run_context: Holds what the profiles want.
    """
    found: dict[str, None] = {}
    for carried in examined.carried:
        scrub = Masker(carried.text).scrub
        document = gcfg.parse(carried.stack.inner)
        for release in examined.judged:
            conf = CloudConf.read(
                carried, release.release, release.consumer, run_context=run_context, document=document
            )
            if conf.for_ccm:
                found |= dict.fromkeys(map(scrub, _left(conf)))
    return list(found)


def _left(conf: CloudConf) -> Iterator[str]:
    for requirement in conf.run_context.requirements:
        if requirement.check in SOFT:
            continue
        for evaluation in evaluate(requirement, conf):
            left = f"{requirement.key} is left as it is"
            if evaluation.status is Status.UNKNOWN:
                yield f"{left}: {evaluation.why}; edit it by hand"
            elif evaluation.status is Status.NOT_APPLICABLE and release_mismatch(requirement, conf.release):
                yield f"{left}: {evaluation.why}"
            elif evaluation.status is Status.VIOLATED and (
                prescribed_value(requirement) is None or is_secret_name(requirement.key)
            ):
                yield f"{left}: the profile {requirement.profile} wants {expected_values(requirement)}; choose a value"
