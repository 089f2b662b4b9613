"""Key files of `sluice serve --api-keys`."""

import hashlib
from pathlib import Path


def key_table(path: Path, **keys: dict[str, object]) -> Path:
    """`keys`: by name, each with its `text`, and what the file says of it. Written anew at each call."""
    blocks = []
    for name, fields in keys.items():
        said = {"name": name, "sha256": hashlib.sha256(str(fields["text"]).encode()).hexdigest()}
        said |= {field: value for field, value in fields.items() if field != "text"}
        lines = [f'{field} = "{value}"' if isinstance(value, str) else f"{field} = {value}" for field, value in said.items()]
        blocks.append("\n".join(["[[key]]", *lines]) + "\n")
    path.write_text("\n".join(blocks))
    return path
