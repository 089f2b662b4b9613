"""A folder of programs in which `--runtime rogue` is a process that misbehaves once and is honest from then on."""

import os
import re
import shutil
from pathlib import Path

from support.paths import REPOSITORY, program

SCRIPT = """#!/bin/sh
# The environment is scrubbed, so what this script knows is written into it.
mark='{folder}/{role}-has-misbehaved'
if [ "$2" = '{role}' ] && mkdir "$mark" 2>/dev/null; then
{misbehaviour}
  exit 0
fi
exec '{folder}/sluice-worker-fake' "$@"
"""


def install(folder: Path, role: str, misbehaviour: str) -> None:
    """`misbehaviour` is shell; descriptor 3 is the daemon."""
    for name in ("sluice", "sluice-worker-fake"):
        shutil.copy2(program(name), folder / name)
    script = folder / "sluice-worker-rogue"
    script.write_text(SCRIPT.format(folder=folder, role=role, misbehaviour=misbehaviour))
    os.chmod(script, 0o755)


def frame(message: bytes) -> str:
    """Shell that sends one frame."""
    return send(len(message).to_bytes(4, "little") + message)


def send(data: bytes) -> str:
    octal = "".join(f"\\{byte:03o}" for byte in data)
    return f"  printf '{octal}' >&3"


def protocol_version() -> int:
    source = (REPOSITORY / "src" / "proto" / "framing.h").read_text()
    return int(re.search(r"kProtocolVersion = (\d+);", source)[1])


def hello(build: str, role: str, protocol: int | None = None) -> bytes:
    """FromWorker and FromCodec alike hold a Hello; its field number differs."""
    inside = _varint(1, protocol or protocol_version()) + _text(2, build) + _text(3, role) + _text(4, "fake") + _text(5, "0")
    return _bytes({"worker": 1, "codec": 2}[role], inside)


def _varint(field: int, value: int) -> bytes:
    return bytes([field << 3, value])


def _bytes(field: int, value: bytes) -> bytes:
    return bytes([field << 3 | 2, len(value)]) + value


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())
