# SPDX-License-Identifier: MIT
#
# The front door. Everything in userspace is built by meson, the module by Kbuild, the machines by scripts/vm.

HOST := build/host
KDIR ?= /lib/modules/$(shell uname -r)/build

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: setup ## boot a PC with a V3D in it, run the IGT tests and the demos, print the table (first time: about 15 minutes)
	@scripts/run

check: setup ## every test there is, on the host and on the machines
	@scripts/check

check-quick: setup ## lint and the unit tests: what finds most in two minutes, without a machine
	@scripts/check --quick

fresh: setup ## make run and make check as a machine does that has built nothing: in a new clone, with an empty cache; about an hour
	@scripts/fresh

newcomer: setup ## the newcomer's page in a Debian 12 that has nothing else, as an ordinary user, from a fresh clone; some minutes
	@scripts/newcomer

mesa: setup host ## unmodified Mesa as the judge: all of piglit, glmark2, scenes; in this process and on a Raspberry Pi 3
	@scripts/check --only mesa-all --only pi3-mesa-all --only mainline-mesa-all

screen: setup host ## the display for long: upstream IGT's tests of one, a desktop, 300 kills and unbinds of what flips; two hours at most
	@scripts/check --only screen-all

HITS ?= 1000
faults: setup host ## HITS=1000 hits of each of the 15 kinds of fault that the chip has to order, under load; hours
	@HITS=$(HITS) scripts/check --only faults-all

mainline: setup ## the kernel's own vc4 on a chip with silicon's defects, as expected; 18 boots, a quarter of an hour
	@bash scripts/machines/arm.sh >/dev/null && ninja -C build/arm64 igt-tests/v3dcl_vc4 >/dev/null
	@scripts/mainline

setup: ## install the Debian packages that building and testing need
	@scripts/setup

host: $(HOST)/build.ninja ## build the simulator, the library and the tests
	@ninja -C $(HOST)

$(HOST)/build.ninja:
	@meson setup --prefix /usr/local $(HOST) >/dev/null

demo: setup $(HOST)/build.ninja ## run all examples in this process: pictures, a contact sheet and a page in build/demo, a table
	@ninja -C $(HOST) libv3dcl/tools/v3dcl libv3dcl/tools/v3dcl-sheet examples/check-fft
	@scripts/demo $(HOST)

modules: ## build bcm2835_v3d.ko for the kernel whose build tree is KDIR (default: the running one)
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

modules-all: setup ## cross-build the module for every kernel it supports, W=1 and sparse
	@scripts/check --only modules

lint: setup ## style, includes, licences, static analysis
	@scripts/check --only lint --only analysis

bench: setup host ## figures, as ratios in one run
	@scripts/bench

TIME ?= 600
fuzz: setup host ## TIME=600 seconds more of jobs that the checker accepts, run in the simulator; counts go on in build/oracle.state
	@$(HOST)/libv3dcl/validate/fuzz/v3d-oracle --jobs $$(nproc) --time $(TIME) --state build/oracle.state --save build/oracle-failure.job \
		--base libv3dcl/validate/fuzz/corpus/mesa.xz

fuzz-library: setup ## TIME=600 seconds of libFuzzer for each of assembler, checker, decoder and text format
	@scripts/fuzz --time $(TIME)

mutate: setup host ## the checker broken in one place at a time: the tests, then the oracle, have to notice
	@scripts/mutate

plants: setup host ## a refusal or bound of the checker left out, one at a time: the oracle has to notice by what the chip does; some hours
	@scripts/plants

JOBS ?= 20000000
verdicts: setup ## JOBS=20000000 jobs before the checker as it was and as it is: accepted, refused and all that it hands on have to be alike
	@scripts/verdicts --jobs $(JOBS)

coverage: setup ## what of the library its own tests run, a file a line
	@scripts/coverage

doc: setup ## Documentation/ as HTML, in build/doc
	@scripts/doc

install: host ## install the simulator, the library, with-v3d with its Mesa (first time: five minutes), and man pages below DESTDIR
	@meson install -C $(HOST)
	@scripts/install-with-v3d --build $(HOST)

uninstall: ## take away what make install put there
	@scripts/install-with-v3d --build $(HOST) --remove
	@ninja -C $(HOST) uninstall

deb: setup ## build the Debian packages, in build/deb
	@scripts/deb

editors: ## the grammars for editors, by the tool that npm has for them
	@scripts/editors

boards: setup ## every board and kernel: build, load, tests; a table of them with dates, in build/boards; hours
	@scripts/boards

clean: ## remove build/; what is slow to build stays in the user's cache folder
	rm -rf build

.PHONY: help editors run check check-quick fresh newcomer coverage mesa screen faults mainline setup host modules modules-all lint bench fuzz fuzz-library mutate plants verdicts doc install uninstall deb boards clean
