#!/usr/bin/env bash
# start-mlx-lm.sh MODEL.gguf PORT LANES CONTEXT_PER_LANE THREADS [further arguments...]: the peer in the foreground.
# Its cache grows with what is asked: it has no setting for a lane's context.
. "$(dirname "$0")/peer.sh" mlx-lm
start_arguments "$@"
[[ -e $into/.got ]] || refuse "not got yet: bench/peers/get-mlx-lm.sh"
folder=$("$beside/prepare-mlx-lm.sh" "$model")
libraries=$into/openblas/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH=$libraries LD_PRELOAD=$libraries/openblas-pthread/libopenblas.so.0
export HF_HOME=$into/hub HF_HUB_OFFLINE=1
mkdir -p "$HF_HOME/hub" # /v1/models fails without it
if [[ $threads -gt 0 ]]; then export OPENBLAS_NUM_THREADS=$threads; fi
# As many prompts at once as there are lanes; upstream's 8 would raise the lanes to 8.
exec "$into/venv/bin/mlx_lm.server" --model "$folder" --host 127.0.0.1 --port "$port" \
  --decode-concurrency "$lanes" --prompt-concurrency $((lanes < 8 ? lanes : 8)) "${further[@]}" >&2
