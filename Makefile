# The two commands of the README, and what developers need. CMake does the work.
BUILD ?= build
CMAKE_FLAGS ?=

.PHONY: all demo test bench install format check-format tidy clean
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
