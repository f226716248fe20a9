# `make demo` is the way in; see README.md.
PREFIX ?= /usr/local
# With several traits, builds would begin anew each time otherwise; see Scripts/build-flags.sh.
COMMAND = SWIFT_DETERMINISTIC_HASHING=1 swift build -c release --product nuke
BUILD = $(COMMAND) --traits Command
# Beside the other build, which would be made anew after each change of traits.
SERVER = $(COMMAND) --traits Command,Server,Redis --scratch-path .build-server

.PHONY: demo help serve fleet gallery test check fast bench docs fuzz package install uninstall clean

demo: ## Build the command and see real images load
	@Scripts/setup
	@$(BUILD)
	@"$$($(BUILD) --show-bin-path)/nuke" demo

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: ## Build the image server and run it with the sample images: `make serve SETTINGS="--port 9000"` for others
	@Scripts/setup --server
	@$(SERVER)
	@"$$($(SERVER) --show-bin-path)/nuke" serve --demo $(SETTINGS)

fleet: ## Run three image servers, Redis and nginx, end some of them under load, and count what was promised
	@Scripts/setup --fleet
	@$(SERVER)
	@Scripts/fleet --nuke "$$($(SERVER) --show-bin-path)/nuke" $(OPTIONS)

gallery: ## Show thousands of images in a window of GTK's: `make gallery IMAGES=folder` for your own
	@Scripts/setup --gtk
	@PKG_CONFIG_PATH=$$(Scripts/plain-pkg-config .build/pkgconfig gtk4) \
		swift run -c release --traits GTK,Command nuke-gallery $(or $(IMAGES),--demo plain)

test: ## All that proves behavior, in a fresh clone: what continuous integration runs
	@Scripts/setup --formats --test --gtk
	@Scripts/check

check: ## The same and what only a release needs: documentation, other environments and distributions, Thread Sanitizer
	@Scripts/setup --formats --test --gtk --package --environments
	@Scripts/check --release

fast: ## What to run before each commit: format, imports, words, links, a build, and the tests of the core
	@Scripts/check --fast

bench: ## Measure, beside the libraries we compare with
	@Scripts/setup
	@Scripts/bench

docs: ## Build the documentation as a static site in .build/docs/site
	@Scripts/setup --formats --gtk
	@Scripts/docs

fuzz: ## Run every fuzzer for a minute: `make fuzz SECONDS=300` for longer
	@Scripts/setup --formats
	@Scripts/fuzz $(SECONDS)

package: ## Build a Debian package and a tarball of the command, in .build-package: `make package KINDS=gallery` for the gallery's
	@Scripts/setup --formats --package $(if $(findstring gallery,$(KINDS)),--gtk)
	@Scripts/package $(or $(KINDS),deb tarball)

install: ## Install the command, and the gallery if `make gallery` has built it, under PREFIX
	@Scripts/setup
	@$(BUILD)
	@Scripts/install "$$($(BUILD) --show-bin-path)" "$(DESTDIR)$(PREFIX)"
	@[ -n "$(DESTDIR)" ] || Scripts/install --register "$(PREFIX)"

uninstall: ## Remove what `make install` installed
	@Scripts/install --remove "$(DESTDIR)$(PREFIX)"
	@[ -n "$(DESTDIR)" ] || Scripts/install --register "$(PREFIX)"

clean: ## Remove all that was built
	@rm -rf .build .build-formats .build-server .build-tsan .build-package .build-python .build-start* .build-distributions Benchmarks/.build Fuzz/.build
