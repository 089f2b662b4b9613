"""Makes a model folder that mlx-lm loads out of a GGUF file of the llama architecture, with the same weights.

mlx_model.py MODEL.gguf FOLDER

Every tensor is dequantized to float32, which changes no value. mlx's own 4-bit format could hold Q4_1 bit for bit, but on a
CPU plain matrices are faster: they go through BLAS. The folder names no end token that the model would produce, since
mlx_lm.server has no ignore_eos: a request runs to max_tokens.

Knows byte-level BPE vocabularies with the pre-tokenizers in SPLITS, and models without RoPE scaling.
"""

import argparse
import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mlx.core as mx
import numpy as np
from gguf import GGUFReader, dequantize
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, processors

Get = Callable[..., Any]  # a metadata value by key, or the default

MODULES = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}
LAYER_MODULES = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}

# What is split off before the byte-level encoding, by tokenizer.ggml.pre; the second says whether that splits as GPT-2 does.
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
SPLITS: dict[str, tuple[list[str], bool]] = {
    "default": ([], True),
    "gpt-2": ([], True),
    "smollm": ([r"\p{N}"], True),
    "llama-bpe": ([LLAMA3], False),
}
CONTROL, USER_DEFINED = 3, 4  # tokenizer.ggml.token_type: matched whole, before any splitting


def fail(why: str) -> None:
    sys.exit(f"mlx_model: {why}")


def module_of(tensor: str) -> str:
    name, _, leaf = tensor.rpartition(".")
    if name in MODULES:
        return f"{MODULES[name]}.{leaf}"
    layer = re.fullmatch(r"blk\.(\d+)\.(\w+)", name)
    if not layer or layer[2] not in LAYER_MODULES:
        fail(f"the tensor {tensor} has no place in mlx-lm's llama")
    return f"model.layers.{layer[1]}.{LAYER_MODULES[layer[2]]}.{leaf}"


def halves(rows: np.ndarray, heads: int) -> np.ndarray:
    """GGUF orders each head's rows of q and k for RoPE over neighbours; mlx-lm turns row i with row i + d/2."""
    d = rows.shape[0] // heads
    return rows.reshape(heads, d // 2, 2, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)


def weights(reader: GGUFReader, heads: int, kv_heads: int) -> dict[str, mx.array]:
    made = {}
    for tensor in reader.tensors:
        values = dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        if ".attn_q." in tensor.name:
            values = halves(values, heads)
        elif ".attn_k." in tensor.name:
            values = halves(values, kv_heads)
        made[module_of(tensor.name)] = mx.array(values)
    return made


def tokenizer(get: Get) -> Tokenizer:
    kind, pre = get("tokenizer.ggml.model"), get("tokenizer.ggml.pre", "default")
    if kind != "gpt2" or pre not in SPLITS:
        fail(f"the tokenizer {kind}/{pre} is not one of byte-level BPE with {', '.join(SPLITS)}")
    splits, like_gpt2 = SPLITS[pre]
    tokens = get("tokenizer.ggml.tokens")
    merges = [tuple(merge.split(" ", 1)) for merge in get("tokenizer.ggml.merges")]
    vocabulary = {token: i for i, token in enumerate(tokens)}
    made = Tokenizer(models.BPE(vocab=vocabulary, merges=merges, ignore_merges=pre == "llama-bpe"))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(split), "isolated") for split in splits]
        + [pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=like_gpt2)]
    )
    made.decoder = decoders.ByteLevel()
    for token, type_ in zip(tokens, get("tokenizer.ggml.token_type")):
        if type_ in (CONTROL, USER_DEFINED):
            made.add_tokens([AddedToken(token, special=type_ == CONTROL, normalized=False)])
    made.post_processor = processors.ByteLevel(trim_offsets=True)
    if get("tokenizer.ggml.add_bos_token", False):
        bos = get("tokenizer.ggml.bos_token_id")
        made.post_processor = processors.TemplateProcessing(
            single=f"{tokens[bos]} $A", pair=f"{tokens[bos]} $A $B", special_tokens=[(tokens[bos], bos)]
        )
    return made


def token_that_never_comes(get: Get) -> int:
    """What is named in place of the end token."""
    ends = {get("tokenizer.ggml.eos_token_id"), get("tokenizer.ggml.eot_token_id")}
    unused = get("tokenizer.ggml.unknown_token_id", get("tokenizer.ggml.bos_token_id"))
    if unused is None or unused in ends:
        fail("there is no token to name in place of the end token")
    return unused


def model_config(get: Get, tensors: set[str], heads: int, kv_heads: int) -> dict[str, Any]:
    hidden = get("llama.embedding_length")
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": hidden,
        "num_hidden_layers": get("llama.block_count"),
        "intermediate_size": get("llama.feed_forward_length"),
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "head_dim": get("llama.attention.key_length", hidden // heads),
        "rms_norm_eps": get("llama.attention.layer_norm_rms_epsilon"),
        "rope_theta": get("llama.rope.freq_base", 10000.0),
        "max_position_embeddings": get("llama.context_length"),
        "vocab_size": len(get("tokenizer.ggml.tokens")),
        "tie_word_embeddings": "output.weight" not in tensors,
        "attention_bias": "blk.0.attn_q.bias" in tensors,
        "hidden_act": "silu",
        "torch_dtype": "float32",
        "bos_token_id": get("tokenizer.ggml.bos_token_id"),
        "eos_token_id": [token_that_never_comes(get)],
    }


def tokenizer_config(get: Get) -> dict[str, Any]:
    tokens = get("tokenizer.ggml.tokens")
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": get("llama.context_length"),
        "clean_up_tokenization_spaces": False,
        "eos_token": tokens[token_that_never_comes(get)],
    }
    for name, key in (("bos", "bos"), ("unk", "unknown"), ("pad", "padding")):
        if (token := get(f"tokenizer.ggml.{key}_token_id")) is not None:
            config[f"{name}_token"] = tokens[token]
    if template := get("tokenizer.chat_template"):
        config["chat_template"] = template
    return config


def convert(model: Path, folder: Path) -> None:
    reader = GGUFReader(model)

    def get(key: str, default: Any = None) -> Any:
        return reader.fields[key].contents() if key in reader.fields else default

    tensors = {tensor.name for tensor in reader.tensors}
    if get("general.architecture") != "llama":
        fail(f"the architecture {get('general.architecture')} is not llama")
    if "rope_freqs.weight" in tensors or get("llama.rope.scaling.type", "none") != "none":
        fail("RoPE scaling is not supported")
    heads = get("llama.attention.head_count")
    kv_heads = get("llama.attention.head_count_kv", heads)
    folder.mkdir(parents=True)
    mx.save_safetensors(str(folder / "model.safetensors"), weights(reader, heads, kv_heads), metadata={"format": "mlx"})
    tokenizer(get).save(str(folder / "tokenizer.json"))
    configs = {"config": model_config(get, tensors, heads, kv_heads), "tokenizer_config": tokenizer_config(get)}
    for name, config in configs.items():
        (folder / f"{name}.json").write_text(json.dumps(config, indent=2, ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model", type=Path, help="a GGUF file")
    parser.add_argument("folder", type=Path, help="the folder to make")
    given = parser.parse_args()
    part = given.folder.with_name(given.folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    convert(given.model, part)
    part.rename(given.folder)


if __name__ == "__main__":
    main()
