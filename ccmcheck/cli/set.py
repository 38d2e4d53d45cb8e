"""``ccmcheck set``: the lossless editor for shell scripts."""

from __future__ import annotations

import sys

import click

from ccmcheck.base.errors import InputError, WrongUse
from ccmcheck.cli import completion, console
from ccmcheck.cli.one_file import readers
from ccmcheck.cli.options import STDIN, release_options
from ccmcheck.cli.patching import Patches, check_use, patch_options


@click.command("set", short_help="Set or unset keys where a cloud.conf lies, losing nothing around them.")
@click.argument("path", metavar="FILE", shell_complete=completion.files)
@click.argument("assignments", nargs=-1, metavar="[[SECTION.]KEY=VALUE]...", shell_complete=completion.assignments)
@click.option("--unset", multiple=True, metavar="[SECTION.]KEY", shell_complete=completion.keys, help="Remove a key.")
@release_options
@click.option("--diff", is_flag=True, help="Show what would change, secrets masked, and change nothing.")
@click.option("--check", is_flag=True, help="Change nothing; exit with 1 if anything would change.")
@click.option("--output", metavar="DIR", help="Write the patches below this folder.")
@patch_options
@click.option("-q", "--quiet", is_flag=True, help="Do not say what was done.")
def command(
    path: str,
    assignments: tuple[str, ...],
    unset: tuple[str, ...],
    releases: tuple[str, ...],
    consumer: str | None,
    diff: bool,
    check: bool,
    output: str | None,
    patch_format: str | None,
    with_secrets: bool,
    quiet: bool,
) -> int:
    """Set keys in FILE: a plain cloud.conf or a file that carries one; - is from standard input to standard output.

    Values are checked by the catalogue of the release: create-monitor=maybe is refused. Running it twice changes
    nothing the second time. A file that carries several cloud.confs gets the change in each.
    """
    from ccmcheck import catalog
    from ccmcheck.base.result import Failure
    from ccmcheck.base.text import decode, encode
    from ccmcheck.carriers import FindOptions
    from ccmcheck.fix.settings import assign, assignment
    from ccmcheck.workspace import discover

    if not assignments and not unset:
        raise WrongUse("Nothing to set.", "Write ccmcheck set FILE create-monitor=true.")
    check_use(patch_format, with_secrets=with_secrets, others=diff or check)
    if output is not None and patch_format is None:
        raise WrongUse("--output is for --patch.")
    judged = readers(None, releases, consumer)[0]
    schema = catalog.schema(judged.release, judged.consumer)
    wanted = [assignment(text, schema) for text in assignments]
    wanted += [assignment(name, schema, unset=True) for name in unset]
    is_stdin = path == STDIN
    data = sys.stdin.buffer.read() if is_stdin else discover.read(discover.Target(path, explicit=True))
    if isinstance(data, Failure):
        raise InputError(f"{path}: {data.message}", data.hint)
    before = decode(data or b"").text
    after, routes = assign(path, before, wanted, judged, FindOptions())
    if patch_format is not None:
        patches = Patches(patch_format, output, with_secrets=with_secrets, quiet=quiet)
        patches.take(path, before, after, is_stdin=is_stdin)
        return patches.close()
    if diff:
        from ccmcheck.base.escape import printable
        from ccmcheck.fix.diff import differences

        console.write(f"{printable(line)}\n" for line in differences(path, before, after, FindOptions()))
    elif is_stdin and not check:
        sys.stdout.buffer.write(encode(after))
    elif after != before and not check:
        from ccmcheck.base.atomic_write import replace

        replace(path, encode(after))
    if not quiet and not is_stdin:
        verb = "would change" if diff or check else "changed"
        console.warn(f"{path}: {verb} {len(routes)} cloud.conf{'' if len(routes) == 1 else 's'}")
    return 1 if check and after != before else 0
