"""Makes what `ollama create` needs of a GGUF file with a ChatML template: a copy whose answers run to max_tokens, and a Modelfile.

ollama_model.py MODEL.gguf FOLDER [--threads N]

Ollama has no ignore_eos, and llama.cpp takes a token for an end by its text as well as by its id. So in the copy every end
token has its text in the other case (<|IM_END|>), and the end token's id is that of a control token which the template does
not use. The Modelfile's template writes the same texts, so the prompt is the same tokens, at the same ids, as everywhere else.
Each change keeps its length: the copy differs in these bytes alone.
"""

import argparse
import re
import shutil
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

# The texts that llama.cpp takes for an end of generation.
ENDS = {
    "<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<end_of_turn>", "<|endoftext|>", "<|eom_id|>", "<EOT>",
    "_<EOT>", "<|end_of_text|>", "<end_of_utterance>", "</s>",
}  # fmt: skip
FORMATS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
STRING, ARRAY = 8, 9
CONTROL = 3  # tokenizer.ggml.token_type
MODELFILE = """FROM ./model.gguf
TEMPLATE \"\"\"{{{{- range .Messages }}}}<|im_start|>{{{{ .Role }}}}
{{{{ .Content }}}}<|IM_END|>
{{{{ end }}}}<|im_start|>assistant
\"\"\"
"""


def fail(why: str) -> None:
    sys.exit(f"ollama_model: {why}")


@dataclass
class Value:
    """A metadata value and where in the file its bytes begin: one, or one for each element of an array."""

    values: list
    offsets: list[int]

    @property
    def first(self):
        return self.values[0]


def read_number(file: BinaryIO, kind: int):
    form = FORMATS[kind]
    return struct.unpack(form, file.read(struct.calcsize(form)))[0]


def read_value(file: BinaryIO, kind: int):
    """A value, and the offset of its bytes."""
    if kind != STRING:
        return read_number(file, kind), file.tell() - struct.calcsize(FORMATS[kind])
    length = read_number(file, 10)
    offset = file.tell()
    return file.read(length).decode("utf-8", "replace"), offset


def metadata(file: BinaryIO) -> Iterator[tuple[str, int, Value]]:
    """Each key, the offset of its text, and its value."""
    magic, version, _, count = struct.unpack("<4sIQQ", file.read(24))
    if magic != b"GGUF" or version not in (2, 3):
        fail("not a GGUF file of version 2 or 3")
    for _ in range(count):
        key, key_offset = read_value(file, STRING)
        kind, length = read_number(file, 4), 1
        if kind == ARRAY:
            kind, length = read_number(file, 4), read_number(file, 10)
        pairs = [read_value(file, kind) for _ in range(length)]
        yield key, key_offset, Value([value for value, _ in pairs], [offset for _, offset in pairs])


def unused_control_token(tokens: Value, types: Value, template: str, taken: set[int]) -> int:
    for i, (text, type_) in enumerate(zip(tokens.values, types.values)):
        if type_ == CONTROL and i not in taken and text not in ENDS and text not in template:
            return i
    fail("the vocabulary has no control token that its template leaves unused")


def changes(path: Path) -> tuple[dict[int, bytes], str]:
    """The bytes to write at each offset, and the model's chat template."""
    found: dict[str, Value] = {}
    keys: dict[str, int] = {}
    with path.open("rb") as file:
        for key, offset, value in metadata(file):
            found[key], keys[key] = value, offset
    tokens, template = found["tokenizer.ggml.tokens"], found["tokenizer.chat_template"].first
    names = [f"tokenizer.ggml.{name}_token_id" for name in ("eos", "eot", "eom")]
    end_ids = {found[name].first for name in names if name in found}
    starts = {found[name].first for name in ("tokenizer.ggml.bos_token_id",) if name in found}
    ends = ENDS | {tokens.values[i] for i in end_ids}
    other = unused_control_token(tokens, found["tokenizer.ggml.token_type"], template, end_ids | starts)
    made = {found[name].offsets[0]: struct.pack("<I", other) for name in names if name in found}
    for text, offset in zip(tokens.values, tokens.offsets):
        if text in ends:
            if text.swapcase() in tokens.values:
                fail(f"the vocabulary has both {text} and {text.swapcase()}")
            made[offset] = text.swapcase().encode()
    # Without this key Ollama takes no template, and no stop words, of its own.
    made[keys["tokenizer.chat_template"]] = b"tokenizer.chat_template"[:-1] + b"E"
    return made, template


def modelfile(template: str, threads: int) -> str:
    if "<|im_start|>" not in template:
        fail("the model's chat template is not ChatML")
    text = MODELFILE.format()
    if system := re.search(r"<\|im_start\|>system(?:\\n|\n)([^{}<]+)<\|im_end\|>", template):
        text += f'SYSTEM """{system[1]}"""\n'
    return text + (f"PARAMETER num_thread {threads}\n" if threads else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model", type=Path, help="a GGUF file")
    parser.add_argument("folder", type=Path, help="where model.gguf and Modelfile are put")
    parser.add_argument("--threads", type=int, default=0, help="0: Ollama's default")
    given = parser.parse_args()
    made, template = changes(given.model)
    text = modelfile(template, given.threads)
    given.folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(given.model, given.folder / "model.gguf")
    with (given.folder / "model.gguf").open("r+b") as copy:
        for offset, content in made.items():
            copy.seek(offset)
            copy.write(content)
    (given.folder / "Modelfile").write_text(text)


if __name__ == "__main__":
    main()
