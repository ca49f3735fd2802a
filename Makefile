# The two commands of the README, and what developers need. CMake does the work.
BUILD ?= build
CMAKE_FLAGS ?=
# Ninja alone would start two compilers more than there are processors, which then push each other out of the caches.
build = cmake --build $(1) --parallel $(shell nproc)

.PHONY: all demo studio python test fuzz test-sanitize test-valgrind test-arm bench install deb format check-format tidy clean
all: $(BUILD)/build.ninja
	@$(call build,$(BUILD))

# Stamps of the packages that a group of scripts/install-deps names.
$(BUILD)/.packages-%: scripts/install-deps
	@scripts/install-deps $*
	@mkdir -p $(BUILD) && touch $@

# For this machine's processor alone, which compiles in a third of the time; `make install` has all levels. The library
# and the command: tests and benchmarks need more packages, and come with `make test`. Not after a failed configuration,
# which leaves no build.ninja.
configure = cmake -S . -B $(BUILD) -G Ninja $(1) $(CMAKE_FLAGS) > $(BUILD)/configure.log 2>&1 || { cat $(BUILD)/configure.log; exit 1; }
$(BUILD)/build.ninja: | $(BUILD)/.packages-build
	@$(call configure,-DULNA_LEVEL=machine -DULNA_BUILD_TESTS=OFF -DULNA_BUILD_BENCH=OFF)
	@touch $@

$(BUILD)/.with-tests: $(BUILD)/.packages-test | $(BUILD)/build.ninja
	@$(call configure,-DULNA_BUILD_TESTS=ON -DULNA_BUILD_BENCH=ON -DULNA_PYTHON=ON -DULNA_STUDIO=ON)
	@touch $@

demo: $(BUILD)/build.ninja
	@$(call build,$(BUILD)) --target ulna_app
	@scripts/demo $(BUILD)/ulna

# One file with everything inside: build/web/studio.html; `build/ulna studio` writes it with a robot of yours.
studio: $(BUILD)/.packages-studio | $(BUILD)/build.ninja
	@$(call configure,-DULNA_STUDIO=ON)
	@$(call build,$(BUILD)) --target studio
	@echo "Open $(abspath $(BUILD))/web/studio.html in a browser"

# For the checkout; `pip install .` makes a wheel of all levels.
python: $(BUILD)/.packages-python | $(BUILD)/build.ninja
	@$(call configure,-DULNA_PYTHON=ON)
	@grep "import ulna" $(BUILD)/configure.log
	@$(call build,$(BUILD)) --target ulna_python
	@echo "To use it: export PYTHONPATH=$(abspath $(BUILD))/python"

test: $(BUILD)/.with-tests
	@$(call build,$(BUILD))
	@ctest --test-dir $(BUILD) --output-on-failure -j 2

# With clang and its sanitizers, in a build folder of its own that holds only what the fuzz targets need.
fuzz: $(BUILD)/.packages-build $(BUILD)/.packages-fuzz
	@cmake -S . -B $(BUILD)/fuzz -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug \
	  -DULNA_FUZZ=ON -DBUILD_SHARED_LIBS=OFF -DULNA_BUILD_APP=OFF -DULNA_BUILD_TESTS=OFF -DULNA_BUILD_BENCH=OFF $(CMAKE_FLAGS) > /dev/null
	@$(call build,$(BUILD)/fuzz) --target fuzzers
	@scripts/fuzz $(BUILD)/fuzz

# One level, each in a build folder of its own, by clang: with sanitizers g++ takes minutes for one file. Tests that
# compile or open something else are left out.
one_level = -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug \
  -DBUILD_SHARED_LIBS=OFF -DULNA_BUILD_BENCH=OFF $(CMAKE_FLAGS)
threaded = batch_test ensemble_test parallel_articulated_body_test constraint_force_test compiled_test

test-sanitize: $(BUILD)/.packages-build $(BUILD)/.packages-sanitize
	@cmake -S . -B $(BUILD)/sanitize $(one_level) -DULNA_SANITIZE=address,undefined > /dev/null
	@$(call build,$(BUILD)/sanitize)
	@ULNA_SANITIZED=1 \
	  ctest --test-dir $(BUILD)/sanitize --output-on-failure -j 2 -E 'package_test|web_test|includes_test|ranks_test' --timeout 3600
	@cmake -S . -B $(BUILD)/sanitize_threads $(one_level) -DULNA_SANITIZE=thread > /dev/null
	@$(call build,$(BUILD)/sanitize_threads) --target $(threaded)
	@for test in $(threaded); do \
	  TSAN_OPTIONS="suppressions=$(CURDIR)/test/support/tsan.supp halt_on_error=1" $(BUILD)/sanitize_threads/test/$$test || exit 1; done

test-valgrind: $(BUILD)/.packages-build $(BUILD)/.packages-valgrind
	@cmake -S . -B $(BUILD)/valgrind $(one_level) -DULNA_BUILD_TESTS=OFF "-DCMAKE_CXX_FLAGS=-O1 -g" > /dev/null
	@$(call build,$(BUILD)/valgrind) --target ulna_app
	@scripts/valgrind $(BUILD)/valgrind/ulna

# The tests that are programs, on 64-bit ARM by qemu, compiled code too: an hour of two cores, for a night.
test-arm: $(BUILD)/.packages-build $(BUILD)/.packages-arm
	@scripts/arm-sysroot $(BUILD)/arm
	@cmake -S . -B $(BUILD)/arm/build -G Ninja -DCMAKE_TOOLCHAIN_FILE=$(CURDIR)/cmake/Arm64.cmake \
	  -DULNA_ARM_SYSROOT=$(abspath $(BUILD))/arm/sysroot -DULNA_LEVEL=machine -DULNA_BUILD_BENCH=OFF -DULNA_REPORT=OFF $(CMAKE_FLAGS) > /dev/null
	@$(call build,$(BUILD)/arm/build)
	@CC="aarch64-linux-gnu-gcc" ctest --test-dir $(BUILD)/arm/build --output-on-failure -j 2 -L program --timeout 3600

bench: $(BUILD)/.with-tests
	@$(call build,$(BUILD))
	@bench/report --build $(BUILD)

install: $(BUILD)/build.ninja $(BUILD)/.packages-python
	@$(call configure,-DULNA_LEVEL=all -DULNA_PYTHON=ON)
	@$(call build,$(BUILD)) --target ulna_app ulna_python mpi
	@cmake --install $(BUILD)

# ulna, python3-ulna, ulna-peers and ulna-mpi, for this Debian: build/deb/*.deb
deb: $(BUILD)/.packages-deb
	@mkdir -p $(BUILD)/deb
	@cmake -S . -B $(BUILD)/deb -G Ninja -DCMAKE_INSTALL_PREFIX=/usr -DULNA_LEVEL=all -DULNA_PYTHON=ON -DULNA_BUILD_TESTS=OFF \
	  -DULNA_BUILD_BENCH=OFF $(CMAKE_FLAGS) > $(BUILD)/deb/configure.log 2>&1 || { cat $(BUILD)/deb/configure.log; exit 1; }
	@$(call build,$(BUILD)/deb) --target ulna_app ulna_python mpi
	@cd $(BUILD)/deb && cpack > cpack.log 2>&1 || { cat cpack.log; exit 1; }
	@ls $(BUILD)/deb/*.deb

sources = $(shell git ls-files '*.hpp' '*.cpp')

format:
	@clang-format -i $(sources)

check-format:
	@clang-format --dry-run -Werror $(sources)

tidy: $(BUILD)/.packages-build $(BUILD)/.packages-check
	@scripts/tidy $(BUILD)

clean:
	@rm -rf $(BUILD)
