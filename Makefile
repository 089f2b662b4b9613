# Two commands do everything on a fresh Debian 12: `make serve` and `make test`. Both name what they install.
BUILD := build
JOBS  ?= $(shell nproc)

.PHONY: deps build serve test test-release test-asan test-tsan bench bars llama-server peers benchmarks lint format clean

deps:
	@scripts/deps.sh
	@scripts/fetch.sh llama.cpp model

$(BUILD)/build.ninja: CMakePresets.json
	@echo "build: configuring"
	@cmake --preset release > $(BUILD)-configure.log 2>&1 || { cat $(BUILD)-configure.log; exit 1; }
	@rm -f $(BUILD)-configure.log

build: deps $(BUILD)/build.ninja
	@scripts/timed.sh "build: sluice and sluice-worker-llamacpp (the first time about 6 minutes on 2 cores)" \
	  ninja -C $(BUILD) -j $(JOBS) --quiet sluice sluice-worker-llamacpp

serve: build
	@exec $(BUILD)/bin/sluice serve $(ARGS)

test: deps test-asan test-tsan test-release

test-release: deps $(BUILD)/build.ninja
	@scripts/fetch.sh tests
	@scripts/timed.sh "test: building everything" ninja -C $(BUILD) -j $(JOBS) --quiet
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(JOBS)

# The fake-runtime tests under sanitizers: our own code, every process of it.
test-asan test-tsan: test-%: deps
	@scripts/fetch.sh tests
	@cmake --preset $* > build-$*-configure.log 2>&1 || { cat build-$*-configure.log; exit 1; }
	@rm -f build-$*-configure.log
	@scripts/timed.sh "test: building with the $* preset" ninja -C build-$* -j $(JOBS) --quiet
	@ctest --test-dir build-$* --output-on-failure --no-tests=error -j $(JOBS) -LE "model|tidy"

bench: build
	@scripts/fetch.sh tests
	@deps/venv/bin/python bench/bars.py --only quick_answers --only crowd

bars: build llama-server
	@scripts/fetch.sh tests
	@ninja -C $(BUILD) -j $(JOBS) --quiet sluice-bare-loop sluice-sim
	@deps/venv/bin/python bench/bars.py

llama-server: deps
	@scripts/llama-server.sh $(BUILD)/bin

# The other rivals; one that cannot be had does not keep the others away.
peers: llama-server
	-@bench/peers/get-superfluid.sh
	-@bench/peers/get-mlx-lm.sh
	-@bench/peers/get-ollama.sh

# docs/benchmarks.md and .html: about an hour on a quiet machine.
benchmarks: build peers
	@bench/page.sh

lint: $(BUILD)/build.ninja
	@scripts/lint.sh $(BUILD)

format:
	@git ls-files '*.h' '*.cc' | xargs clang-format-19 -i

clean:
	@rm -rf build build-asan build-tsan
