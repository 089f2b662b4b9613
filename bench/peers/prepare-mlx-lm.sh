#!/usr/bin/env bash
# prepare-mlx-lm.sh MODEL.gguf: makes the model in mlx-lm's format, where it is not there yet, and prints its folder.
. "$(dirname "$0")/peer.sh" mlx-lm
model=$(realpath "$1")
folder=$(model_folder "$beside/mlx_model.py")
if [[ ! -d $folder ]]; then
  timed "converting $(basename "$model")" "$into/venv/bin/python" "$beside/mlx_model.py" "$model" "$folder" >&2
fi
echo "$folder"
