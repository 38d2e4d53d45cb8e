"""``ccmcheck read``: what the CCM's reader gets out of a file."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.budget import worked_off
from ccmcheck.cli.input_files import cloud_confs, readers_of
from ccmcheck.cli.output import Report
from ccmcheck.cli.resolve import readers
from ccmcheck.cli.running import CommandRun, declared
from ccmcheck.conf.read_report import ReadReport, read_report

FORMATS = ("text", "json")


@declared(
    "read",
    "paths releases consumer reader kubernetes_version INPUTS quiet OUTPUTS",
    formats=FORMATS,
)
def command(run: CommandRun) -> int:
    """Show what the CCM's reader gets out of a file: its outcome, its own error, the values, the ignored names.

    PATH is a cloud.conf, any file that carries one, a folder, or - for standard input; without one, the current
    folder. Secrets are masked. Exit code: 1 where the reader stops with an error.
    """
    given, inputs = run.given, run.inputs
    # what is wrong with the options is said before a file is read
    _ = run.outputs, readers(given.reader, given.releases, given.consumer, ())
    survey = cloud_confs(run.paths, inputs, tuple(filter(None, (given.reader, given.consumer, *given.releases))))
    each = (
        read_report(path, cloud_conf, target)
        for path, cloud_conf in survey.confs
        for target in readers_of(path, cloud_conf, survey, run)
    )
    reports = worked_off(each, "not all cloud.confs were read")

    def report(form: str) -> Report:
        if form != "json":
            return ("\n".join(_text(entry)) + "\n" for entry in reports)
        configs = [
            {key: value for key, value in entry._asdict().items() if key != "note" or value} for entry in reports
        ]
        return {"version": 1, "configs": configs}

    run.write(report)
    return run.ended(survey.failures, found=any(entry.outcome != "ok" for entry in reports))


def _text(report: ReadReport) -> Iterator[str]:
    from ccmcheck.base.escape import printable

    yield printable(
        f"{report.source}  {'' if report.carrier == 'file' else report.carrier + '  '}read by {report.reader}"
    )
    if report.error is not None:
        yield printable(f"  {'fatal' if report.outcome == 'fatal' else 'hidden'}: {report.error}")
    if report.note:
        yield printable(f"  note: {report.note}")
    for section, values in report.values.items():
        yield printable(f"  [{section}]")
        for key, value in values.items():
            yield printable(f"    {key} = {_value(value)}")
    for name in report.ignored:
        subsection = f' "{name["subsection"]}"' if "subsection" in name else ""
        key = f" {name['key']}" if "key" in name else ", the whole section"
        yield printable(f"  ignored: [{name['section']}{subsection}]{key}")
    yield ""


def _value(value: object) -> str:
    if isinstance(value, dict):
        return str(value["text"])
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(f'"{element}"' for element in value)
    return str(value)
