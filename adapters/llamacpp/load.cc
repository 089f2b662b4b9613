#include "adapters/llamacpp/load.h"

#include <fmt/format.h>

#include <algorithm>

#include "adapters/llamacpp/context.h"
#include "adapters/llamacpp/devices.h"
#include "adapters/llamacpp/tuning.h"
#include "base/limits.h"
#include "base/usable_cores.h"
#include "ggml.h"
#include "gguf/memory_plan.h"
#include "llama.h"

namespace sluice::llamacpp {
namespace {

Result<void> check_bounds(const LoadOptions& options) {
  struct Bound {
    const char* field;
    uint64_t value, least, most;
  };
  const Bound bounds[] = {
      {"lanes", options.lanes, 1, limits::lanes_max},
      {"context", options.window, 1, limits::window_tokens_max},
      {"threads", options.threads, 0, GGML_MAX_N_THREADS},
      {"batch", options.batch, options.lanes, limits::batch_tokens_max},
      {"ubatch", options.ubatch, options.lanes, limits::batch_tokens_max},
  };
  for (const auto& bound : bounds)
    if (bound.value < bound.least || bound.value > bound.most)
      return fail(ErrorCode::invalid,
                  fmt::format("--{} {}: {} to {} is possible", bound.field, bound.value, bound.least, bound.most),
                  bound.field);
  return {};
}

Result<ggml_type> cache_type(const std::string& name, uint64_t head_length, const char* field) {
  const auto* type = gguf::find_cache_type(name);
  if (type == nullptr)
    return fail(ErrorCode::invalid, fmt::format("no cache type \"{}\"; there are {}", name, gguf::cache_type_names()),
                field);
  if (head_length % type->block_elements != 0)
    return fail(ErrorCode::invalid,
                fmt::format("cache type {} keeps {} values in a block, and this model's heads have {}; f16 works", name,
                            type->block_elements, head_length),
                field);
  for (int raw = 0; raw < GGML_TYPE_COUNT; ++raw)
    if (const auto* known = ggml_type_name(static_cast<ggml_type>(raw)); known != nullptr && name == known)
      return static_cast<ggml_type>(raw);
  return fail(ErrorCode::unsupported, fmt::format("this build of llama.cpp has no type {}", name), field);
}

// Where nothing is asked and nothing was measured. Off on a CPU: with it, deep contexts decode several times slower,
// and short ones no faster. A quantized V cache has no other way.
bool default_flash_attention(ggml_type type_v, bool offloads) { return ggml_is_quantized(type_v) || offloads; }

Result<bool> flash_attention(const LoadOptions& options, ggml_type type_v, bool offloads) {
  switch (options.flash_attention) {
    case FlashAttention::on: return true;
    case FlashAttention::automatic: return default_flash_attention(type_v, offloads);
    case FlashAttention::off: break;
  }
  if (!ggml_is_quantized(type_v)) return false;
  return fail(ErrorCode::invalid,
              fmt::format("--cache-type-v {} needs flash attention: --flash-attn on or auto, or an unquantized type",
                          options.cache_type_v),
              "cache-type-v");
}

bool on_progress(float fraction, void* callback) {
  (*static_cast<const std::function<void(float)>*>(callback))(fraction);
  return true;
}

llama_model_params model_params(bool vocabulary_only) {
  llama_model_params params = llama_model_default_params();
  params.devices = nullptr;
  params.tensor_buft_overrides = nullptr;
  params.n_gpu_layers = 0;
  params.split_mode = LLAMA_SPLIT_MODE_LAYER;
  params.load_mode = llama_supports_mmap() ? LLAMA_LOAD_MODE_MMAP : LLAMA_LOAD_MODE_NONE;
  params.lazy_mode = LLAMA_LAZY_MODE_OFF;
  params.main_gpu = 0;
  params.tensor_split = nullptr;
  params.progress_callback = [](float, void*) { return true; };
  params.progress_callback_user_data = nullptr;
  params.kv_overrides = nullptr;
  params.vocab_only = vocabulary_only;
  params.check_tensors = false;  // reads every byte of the file once more
  params.use_extra_bufts = true;
  params.no_host = false;
  params.no_alloc = false;
  params.load_mtp = false;
  return params;
}

Result<ModelPtr> load_model(const std::string& path, const llama_model_params& params, LibraryLog& log) {
  log.begin();
  ModelPtr model(llama_model_load_from_file(path.c_str(), params));
  if (!model) return fail(ErrorCode::invalid, fmt::format("{}: cannot be loaded: {}", path, log.cause()));
  return model;
}

Result<void> check_generates(const llama_model* model) {
  if (llama_model_has_encoder(model) || !llama_model_has_decoder(model))
    return fail(ErrorCode::unsupported, "this model encodes; only models that generate token by token can be served");
  if (llama_model_is_diffusion(model))
    return fail(ErrorCode::unsupported,
                "this is a diffusion model; only models that generate token by token can be served");
  return {};
}

// A call needs logits of every lane, and of some rows more where answers are checked several tokens at a time.
uint32_t outputs_max_of(const LoadOptions& options) { return std::max(options.lanes, limits::logits_rows_min); }

struct Choices {
  ContextSettings context;
  DeviceChoice devices;
  uint64_t kv_bytes_per_token = 0;
};

Result<Choices> choose(const LoadOptions& options, const gguf::ModelFacts& facts) {
  Choices choices;
  auto devices = choose_devices(options.device, options.gpu_layers);
  if (!devices) return std::unexpected(devices.error());
  const auto type_k = cache_type(options.cache_type_k, facts.key_length, "cache-type-k");
  if (!type_k) return std::unexpected(type_k.error());
  const auto type_v = cache_type(options.cache_type_v, facts.value_length, "cache-type-v");
  if (!type_v) return std::unexpected(type_v.error());
  const auto flash = flash_attention(options, *type_v, devices->offloads);
  if (!flash) return std::unexpected(flash.error());
  const auto bytes =
      gguf::kv_bytes_per_token(facts.kv_k_elements, facts.kv_v_elements, options.cache_type_k, options.cache_type_v);
  if (!bytes) return std::unexpected(bytes.error());
  choices.devices = std::move(*devices);
  choices.kv_bytes_per_token = *bytes;
  choices.context = {.lanes = options.lanes,
                     .window = options.window,
                     .batch = options.batch,
                     .ubatch = options.ubatch,
                     .type_k = *type_k,
                     .type_v = *type_v,
                     .flash_attention = *flash,
                     .threads = options.threads > 0 ? options.threads : usable_cores(),
                     .outputs_max = outputs_max_of(options)};
  return choices;
}

// Flags decide what is served with, never what is measured: a later start may come without them.
Tuning tuning_of(llama_model* model, const Choices& choices, LibraryLog& log) {
  ContextSettings settings = choices.context;
  settings.flash_attention = default_flash_attention(static_cast<ggml_type>(settings.type_v), choices.devices.offloads);
  settings.threads = usable_cores();
  return tune(model, settings, choices.kv_bytes_per_token, log);
}

// What the options leave open.
void take_over(const TuningChoice& choice, const LoadOptions& options, ContextSettings& settings) {
  if (options.flash_attention == FlashAttention::automatic) settings.flash_attention = choice.flash_attention;
  if (options.threads == 0) settings.threads = choice.threads;
}

Result<void> open_into(Loaded& loaded, const ContextSettings& settings, LibraryLog& log) {
  auto opened = open_context(loaded.model.get(), settings, loaded.kv_bytes_per_token, log);
  if (!opened) return std::unexpected(opened.error());
  loaded.pool = std::move(opened->pool);
  loaded.context = std::move(opened->context);
  loaded.memory = opened->memory;
  loaded.window = settings.window;
  loaded.outputs_max = settings.outputs_max;
  loaded.threads = settings.threads;
  loaded.flash_attention = settings.flash_attention;
  return {};
}

}  // namespace

Result<Loaded> load(const LoadOptions& options, LibraryLog& log, const std::function<void(float)>& progress) {
  if (auto possible = check_bounds(options); !possible) return std::unexpected(possible.error());
  auto facts = gguf::read_facts(options.model_path);
  if (!facts) return std::unexpected(facts.error());
  auto choices = choose(options, *facts);
  if (!choices) return std::unexpected(choices.error());

  auto params = model_params(false);
  params.devices = choices->devices.devices.empty() ? nullptr : choices->devices.devices.data();
  params.n_gpu_layers = choices->devices.offloads ? options.gpu_layers : 0;
  params.progress_callback = on_progress;
  params.progress_callback_user_data = const_cast<std::function<void(float)>*>(&progress);
  auto model = load_model(options.model_path, params, log);
  if (!model) return std::unexpected(model.error());
  if (auto generates = check_generates(model->get()); !generates) return std::unexpected(generates.error());

  Loaded loaded;
  loaded.model = std::move(*model);
  loaded.facts = std::move(*facts);
  loaded.kv_bytes_per_token = choices->kv_bytes_per_token;
  loaded.choose_on_backend = choices->devices.offloads || options.choose_on_cpu;
  if (options.tune) loaded.tuning = tuning_of(loaded.model.get(), *choices, log);
  if (loaded.tuning) take_over(loaded.tuning->choice, options, choices->context);
  if (auto filled = open_into(loaded, choices->context, log); !filled) return std::unexpected(filled.error());
  return loaded;
}

Result<ModelPtr> load_vocabulary(const std::string& path, LibraryLog& log) {
  return load_model(path, model_params(true), log);
}

}  // namespace sluice::llamacpp
