# A thin front of CMake; see CMakePresets.json. `make help` lists the targets.
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE_FLAGS ?=
WITH ?=
SECONDS ?= 60
packages = packages.txt $(if $(filter all,$(WITH)),packages-all.txt)
# With ccache where it is there.
launcher = $(if $(shell command -v ccache),-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
# With Ninja where it is there, in a new folder: make's own rules take an eighth of the processor time of a build.
generator = $(if $(filter release sanitize thread,$(1)),$(if $(shell command -v ninja),CMAKE_GENERATOR=$${CMAKE_GENERATOR:-Ninja}))
configure = $(generator) cmake --preset $(1) $(launcher) $(CMAKE_FLAGS) >/dev/null
build = $(call configure,$(1)) && cmake --build --preset $(1) -j$(JOBS)

.PHONY: all web-pictures drivers platforms systems windows windows-test web demo test check rest nightly sanitize faults fuzz bench lessons papers docs site install format clean help packages deb release symbols tidy
export TEXLA_TEST_LEVEL
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

all: ## build everything (build/bin, build/lib)
	@$(call build,release)

demo: packages ## install what is missing, build, run the smoke demo
	@$(call configure,release) && cmake --build --preset release -j$(JOBS) --target demos
	build/bin/navier-stokes

test: packages ## install what is missing, build, run each room's tests in their short form (minutes)
	@$(call build,release)
	tests/run.sh build -j$(JOBS) -LE optional

check: test rest ## then sanitizers, threads and clang's warnings (what CI runs); WITH=all: installs and tests the optional parts, too; WITH='all windows': and Windows, as windows-test; WITH='all web': and all tests of rooms in a browser

rest: packages ## what check does beyond test
	@if [ -z "$(filter all web,$(WITH))" ]; then :; elif command -v emcc >/dev/null; then $(MAKE) web; else echo "skipped: the build for browsers (no emcc, package emscripten)"; fi
	$(if $(filter all,$(WITH)),@$(call build,release))
	$(if $(filter all,$(WITH)),tests/run.sh build -j$(JOBS) -L optional)
	$(if $(filter web,$(WITH)),tests/run.sh build-web -j$(JOBS))
	@$(MAKE) sanitize
	@$(call build,release) && JOBS=$(JOBS) cmake/clang.sh build
	$(if $(filter windows,$(WITH)),@$(MAKE) windows-test)

sanitize: ## build with ASan and UBSan, run the tests that are programs; then those of several threads with TSan
	@$(call build,sanitize)
	tests/run.sh build-sanitize -j$(JOBS)
	@$(call build,thread)
	tests/run.sh build-thread -j$(JOBS)

nightly: packages ## long forms of all tests, every fault, the slow ones, longer fuzzing, other platforms (hours)
	@$(call build,release)
	TEXLA_TEST_LEVEL=long tests/run.sh build -j$(JOBS) -C slow
	@$(MAKE) sanitize TEXLA_TEST_LEVEL=long
	@$(MAKE) fuzz
	@$(MAKE) platforms windows-test systems drivers

systems: ## make a bare Debian 13 and a sid (root, debootstrap; reused), and run the two commands there
	JOBS=$(JOBS) tests/systems.sh

drivers: all ## count what the rooms vector to sim compute wrong on each of Mesa's drivers that is installed
	JOBS=$(JOBS) tests/drivers.sh build

platforms: all ## run the rooms' tests in a hidden window (GLX under Xvfb), on OpenGL ES 3, and on OpenGL as macOS has it
	tests/platforms.sh build -j$(JOBS)

fuzz: ## let libFuzzer look for inputs that break a reader, SECONDS=60 for each, JOBS at a time; prints inputs and coverage (needs clang)
	@$(call configure,fuzz)
	@cmake --build --preset fuzz -j$(JOBS) --target fuzz >/dev/null
	tests/fuzz/run.sh build-fuzz $(JOBS) $(SECONDS)

faults: all ## let every allocation and every call of OpenGL fail once that a test can break
	TEXLA_TEST_LEVEL=long tests/run.sh build -C slow -R '^faults/'

bench: all ## run the benchmarks
	build/bin/texla bench vector
	build/bin/texla bench spmv
	build/bin/texla bench solve

lessons: ## build the lessons (build/lessons; their pages: make site)
	@$(call configure,release) && cmake --build --preset release -j$(JOBS) --target lessons

papers: ## repeat the documents' experiments, 15 minutes (build/papers/out; demos/papers/run NAME: one document)
	@$(call configure,release) && cmake --build --preset release -j$(JOBS) --target papers
	demos/papers/run

site: ## build all pages: README, lessons, guide, reference (build/site/index.html; needs pandoc, python3, doxygen)
	@$(call configure,release) && cmake --build --preset release -j$(JOBS) --target site

windows: ## build for 64-bit Windows with MinGW-w64 (build-windows/texla-VERSION-windows.zip)
	@cmake/install_packages.sh packages-windows.txt
	JOBS=$(JOBS) cmake/windows/libraries.sh build-windows/libraries
	@$(call build,windows)
	cmake/windows/zip.sh build-windows

windows-test: windows ## run its tests under Wine, and its programs beside Linux's
	@$(call build,release)
	tests/windows/run.sh build-windows -j$(JOBS)

web-pictures: all ## draw the scenes of the desktop's programs for the menus of pages (build/web/pictures; minutes; before make web)
	@for name in navier-stokes wave shallow-water lab; do python3 web/pictures.py build/bin/$$name demos/$$name/scenes build/web/pictures/$$name || exit 1; done

web: ## build for browsers with Emscripten (build/web: pages, and the JavaScript module)
	@cmake/install_packages.sh packages-web.txt
	JOBS=$(JOBS) cmake/web/libraries.sh build-web/libraries
	@$(call build,web)

docs: ## build the reference with Doxygen (build/docs/html/index.html)
	@command -v doxygen >/dev/null || { echo "make docs needs doxygen (package doxygen)" >&2; exit 1; }
	@mkdir -p build && doxygen docs/Doxyfile && echo "Open build/docs/html/index.html"

install: all ## install headers, libraries and programs (CMAKE_FLAGS=-DCMAKE_INSTALL_PREFIX=... chooses where)
	cmake --install build

deb: ## build packages for Debian (build-deb/*.deb)
	cmake -S . -B build-deb -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DTEXLA_PYTHON_FOLDER=lib/python3/dist-packages \
	  -DTEXLA_BUILD_TESTS=OFF $(CMAKE_FLAGS) >/dev/null
	cmake --build build-deb -j$(JOBS)
	@for library in texla texla_sim texla_mpi; do [ ! -e build-deb/lib/lib$$library.so ] || \
	  cmake/symbols.sh build-deb $$library | diff cmake/lib$$library.symbols - || { echo "lib$$library exports something else than cmake/lib$$library.symbols lists: make symbols" >&2; exit 1; }; done
	@cmake/structs.sh | diff cmake/libtexla.structs - || { echo "the public structs are others than cmake/libtexla.structs lists: make symbols" >&2; exit 1; }
	cd build-deb && cpack

release: ## build a release's files and their SHA256SUMS (build-release): source archive, packages, wheel, zip, npm folder; PARTS='source wheel': some of them
	cmake/release.sh build-release $(PARTS)

symbols: all ## list what the libraries export (cmake/lib*.symbols, libtexla.structs), after functions or fields have been added
	@for library in texla texla_sim texla_mpi; do [ ! -e build/lib/lib$$library.so ] || \
	  { cmake/symbols.sh build $$library >build/symbols && mv build/symbols cmake/lib$$library.symbols; } || exit 1; done
	@cmake/structs.sh >build/structs && mv build/structs cmake/libtexla.structs

format: ## format the sources with clang-format
	git ls-files -co --exclude-standard '*.c' '*.h' | xargs clang-format -i

tidy: all ## let clang-tidy look through all C files (.clang-tidy; about half an hour of processor time)
	@cmake/tidy.sh build

clean: ## remove the build folders
	rm -rf build build-debug build-sanitize build-thread build-fuzz build-deb build-web build-release

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12

packages:
	@cmake/install_packages.sh $(packages)
