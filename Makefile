# The two commands of the README, and what developers need. CMake does the work.
BUILD ?= build
CMAKE_FLAGS ?=

.PHONY: all demo test fuzz bench install format check-format tidy clean
all: $(BUILD)/build.ninja
	@cmake --build $(BUILD)

$(BUILD)/.dependencies: scripts/install-deps
	@scripts/install-deps
	@mkdir -p $(BUILD) && touch $@

# Not after a failed configuration, which leaves no build.ninja.
$(BUILD)/build.ninja: $(BUILD)/.dependencies
	@cmake -S . -B $(BUILD) -G Ninja $(CMAKE_FLAGS) > $(BUILD)/configure.log 2>&1 || { cat $(BUILD)/configure.log; exit 1; }
	@touch $@

demo: $(BUILD)/build.ninja
	@cmake --build $(BUILD) --target ulna_app
	@scripts/demo $(BUILD)/ulna

test: all
	@ctest --test-dir $(BUILD) --output-on-failure -j 2

# With clang and its sanitizers, in a build folder of its own that holds only what the fuzz targets need.
fuzz: $(BUILD)/.dependencies
	@cmake -S . -B $(BUILD)/fuzz -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug \
	  -DULNA_FUZZ=ON -DBUILD_SHARED_LIBS=OFF -DULNA_BUILD_APP=OFF -DULNA_BUILD_TESTS=OFF -DULNA_BUILD_BENCH=OFF $(CMAKE_FLAGS) > /dev/null
	@cmake --build $(BUILD)/fuzz --target fuzzers
	@scripts/fuzz $(BUILD)/fuzz

bench: all
	@bench/report --build $(BUILD)

install: all
	@cmake --install $(BUILD)

sources = $(shell git ls-files '*.hpp' '*.cpp')

format:
	@clang-format -i $(sources)

check-format:
	@clang-format --dry-run -Werror $(sources)

tidy: $(BUILD)/build.ninja
	@scripts/tidy $(BUILD)

clean:
	@rm -rf $(BUILD)
