# Makefile - pdfpipe.  `make help` lists the targets.
#
#   make                      library and programs into build/release
#   make MODE=asan check      same sources, own folder: build/asan
#                             modes: release debug asan tsan cov fuzz
#   make install PREFIX=/usr DESTDIR=/tmp/stage
#
# A user's CFLAGS, CPPFLAGS and LDFLAGS are appended, never overwritten.
# WERROR=1 turns warnings into errors (developers and CI, never packagers).

.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
.DEFAULT_GOAL := all

VERSION  := $(shell sed -n 's/^\#define PDFPIPE_VERSION_STRING "\(.*\)"/\1/p' include/pdfpipe/version.h)
SOMAJOR  := $(firstword $(subst ., ,$(VERSION)))
MODE     ?= release
B        := build/$(MODE)
PREFIX   ?= /usr/local
BINDIR   ?= $(PREFIX)/bin
LIBDIR   ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR   ?= $(PREFIX)/share/man
PKG      ?= pkg-config
LIB_DEPS := libcrypto zlib libidn
CLI_DEPS := libuv
Q        := $(if $(V),,@)

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion \
        -Wstrict-prototypes -Wmissing-prototypes -Wcast-qual -Wformat=2 \
        -Wundef -Wvla -Wwrite-strings -Wimplicit-fallthrough -Wswitch-enum \
        -Wnull-dereference -Wdate-time
IS_CLANG := $(findstring clang,$(shell $(CC) --version))
WARN += $(if $(IS_CLANG),-Wthread-safety,-Wlogical-op -Wduplicated-cond -Wduplicated-branches -Wcast-align=strict)
ifdef WERROR
WARN += -Werror
endif

# What the processor can protect differs by architecture.
CFI_x86_64  := -fcf-protection=full
CFI_aarch64 := -mbranch-protection=standard
MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
HARDEN  := -D_FORTIFY_SOURCE=3 -fstack-protector-strong \
           -fstack-clash-protection $(CFI_$(MACHINE)) -fno-plt
# The same bytes in any folder.  (gcc 12 with -flto and -g breaks that, which
# is why LTO is opt-in and turns -g off.)
REPRO   := -ffile-prefix-map=$(CURDIR)=.

SANITIZE     := -fsanitize=address,undefined -fno-sanitize-recover=all
MODE_release := -O2 -g $(HARDEN) $(if $(LTO),-flto=auto -g0)
MODE_debug   := -Og -g3
MODE_asan    := -O1 -g -fno-omit-frame-pointer $(SANITIZE)
MODE_tsan    := -O1 -g -fsanitize=thread
MODE_cov     := -O0 -g --coverage
MODE_fuzz    := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
ifneq ($(IS_CLANG),)
MODE_release := $(patsubst -flto=auto,-flto=thin,$(MODE_release))
endif
ifeq ($(origin MODE_$(MODE)),undefined)
$(error MODE=$(MODE) is not one of release debug asan tsan cov fuzz)
endif

override CPPFLAGS := -Iinclude -Isrc -Itests/support -D_GNU_SOURCE $(shell $(PKG) --cflags $(LIB_DEPS) $(CLI_DEPS) 2>/dev/null) $(CPPFLAGS)
override CFLAGS   := -std=c11 -pthread -fPIC -fvisibility=hidden $(WARN) \
                     $(REPRO) $(MODE_$(MODE)) $(CFLAGS)
override LDFLAGS  := -Wl,-z,relro,-z,now,-z,noexecstack,-z,separate-code \
                     -Wl,--as-needed $(MODE_$(MODE)) $(LDFLAGS)
LDLIBS   += $(shell $(PKG) --libs $(LIB_DEPS) 2>/dev/null) -pthread
CLI_LIBS := $(shell $(PKG) --libs $(CLI_DEPS) 2>/dev/null)

# Sources are found, not listed: a new file needs no change here.
LIB_SRC  := $(sort $(wildcard src/base/*.c src/io/*.c src/pdf/*.c src/crypt/*.c \
                              src/seal/*.c src/pipe/*.c src/api/*.c))
CLI_SRC  := $(sort $(wildcard src/batch/*.c src/cli/*.c))
LIB_OBJ  := $(LIB_SRC:%.c=$B/%.o)
CLI_OBJ  := $(CLI_SRC:%.c=$B/%.o)
BATCH_OBJ := $(filter $B/src/batch/%,$(CLI_OBJ))
SUPPORT_OBJ := $(patsubst %.c,$B/%.o,$(filter-out tests/support/fixed_random.c,$(sort $(wildcard tests/support/*.c))))
TESTS    := $(patsubst tests/unit/%.c,$B/tests/%,$(sort $(wildcard tests/unit/*_test.c)))
FUZZERS  := $(patsubst tests/fuzz/%.c,$B/fuzz/%,$(sort $(wildcard tests/fuzz/*_fuzz.c)))
TOOLS    := $B/genpdf
GEN_OBJ  := $(patsubst %.c,$B/%.o,bench/genpdf.c $(sort $(wildcard bench/gen/*.c)))
BENCHES  := $B/bench/engines $B/bench/ladder $B/bench/kdf
BENCH_RUNS := bench-peers bench-scale bench-engines bench-ladder bench-kdf
FIXED    := $B/tests/pdfpipe-fixedrandom
CT       := $B/tests/secrets_ct
MIXES    := $B/tests/mixes
RUNNERS  := $(patsubst %,$B/tests/%-run,golden fault stress)
FAULTS   := $B/tests/libfaults.so
MAN      := $(sort $(wildcard config/man/*.[1-8]))
ALL_SRC  := $(LIB_SRC) $(CLI_SRC)

.PHONY: all programs tools testprograms check demo bench fuzz model proof lint format \
        $(BENCH_RUNS) symbols install uninstall clean help
all: programs $B/libpdfpipe.so.$(VERSION) ## library and program into build/$(MODE)
programs: $B/libpdfpipe.a $B/pdfpipe
tools: $(TOOLS)

$B/%.o: %.c
	@mkdir -p $(@D)
	@$(if $V,,printf '  CC    %s\n' $<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$B/libpdfpipe.a: $(LIB_OBJ)
	$(Q)rm -f $@ && $(if $(findstring -flto,$(CFLAGS)),$(if $(IS_CLANG),llvm-ar-14,gcc-ar),$(AR)) rcsD $@ $^

$B/libpdfpipe.so.$(VERSION): $(LIB_OBJ) config/libpdfpipe.map
	$(Q)$(CC) -shared -Wl,-soname,libpdfpipe.so.$(SOMAJOR) \
	    -Wl,--version-script=config/libpdfpipe.map $(LDFLAGS) -o $@ $(LIB_OBJ) $(LDLIBS)

PIE := $(if $(filter release debug cov,$(MODE)),-pie)
$B/pdfpipe: $(CLI_OBJ) $B/libpdfpipe.a
	$(Q)$(CC) $(LDFLAGS) $(PIE) -o $@ $^ $(CLI_LIBS) $(LDLIBS)
$B/genpdf: $(GEN_OBJ)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(shell $(PKG) --libs zlib) -lm
# libipsec-mb is a contender where its header is found, as in bench/ipsec_mb.c.
$B/bench/engines: $B/bench/ipsec_mb.o
$B/bench/engines: IPSEC_MB = $(shell $(CC) $(CPPFLAGS) -include intel-ipsec-mb.h -E -x c /dev/null >/dev/null 2>&1 && echo -lIPSec_MB)
$(BENCHES): %: %.o $B/bench/measure.o $B/bench/mix.o $B/bench/workload.o $B/libpdfpipe.a
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(IPSEC_MB) $(LDLIBS)

# The same program with a random source that is fixed by place: golden tests
# compare its output.  It stands before the library, so random.o stays out.
$(FIXED): $(CLI_OBJ) $B/tests/support/fixed_random.o $B/libpdfpipe.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(CLI_LIBS) $(LDLIBS)
$B/tests/%_test: $B/tests/unit/%_test.o $(SUPPORT_OBJ) $(BATCH_OBJ) $B/libpdfpipe.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(WRAP_$*) $(LDLIBS)
# Programs behind tests/NAME/run, with the random source that is fixed by place.
$B/tests/golden-run: $B/tests/golden/golden.o
$B/tests/fault-run: $B/tests/fault/fault.o
$B/tests/stress-run: $B/tests/stress/stress.o
$(RUNNERS): $B/tests/support/fixed_random.o $(SUPPORT_OBJ) $B/libpdfpipe.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
# Under valgrind; its stand-ins come before the library's.
$(CT): $B/tests/ct/secrets_ct.o $B/tests/support/check.o $B/libpdfpipe.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
# The answers for the engine that is cross-compiled.
$(MIXES): $B/tests/arm/mixes.o $B/libpdfpipe.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
# Preloaded, it makes the n-th call of a function fail.
$(FAULTS): tests/fault/faults.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -shared -o $@ $< -ldl
# Without MODE=fuzz a fuzz target replays files, so every mode runs the corpus.
$B/fuzz/%_fuzz: $B/tests/fuzz/%_fuzz.o $(if $(filter fuzz,$(MODE)),,$B/tests/fuzz/replay.o) $B/libpdfpipe.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) $(if $(filter fuzz,$(MODE)),-fsanitize=fuzzer) -o $@ $^ $(LDLIBS)

testprograms: programs $(TESTS) $(FUZZERS) $(TOOLS) $(FIXED) $(RUNNERS) $(CT) $(MIXES) $(FAULTS) $B/libpdfpipe.so.$(VERSION)
check: testprograms ## every test; SUITE=unit,cli,... for some of them
	$(Q)MODE=$(MODE) BUILD=$(CURDIR)/$B tests/run $(subst $(comma), ,$(SUITE))
demo: programs $(TOOLS) ## encrypt a folder of PDFs and look at the result
	$(Q)BUILD=$(CURDIR)/$B scripts/demo --built
fuzz: $(FUZZERS) ## each target for FUZZ_S seconds (MODE=fuzz CC=clang)
	$(Q)BUILD=$B FUZZ_S=$(or $(FUZZ_S),60) tests/fuzz/run
# One after the other also with -j: they must not disturb each other.  PEERS
# and SCALE are options of bench/peers and bench/scale.
bench: programs $(TOOLS) $(BENCHES) ## all of the following, some minutes
	$(Q)rc=0; for b in $(BENCH_RUNS); do \
	    $(MAKE) -s --no-print-directory $$b || rc=1; done; exit $$rc
bench-peers: programs $(TOOLS) ## the whole program against its peers
	$(Q)BUILD=$(CURDIR)/$B bench/peers $(PEERS)
bench-scale: programs $(TOOLS) ## the whole program with more threads, more objects
	$(Q)BUILD=$(CURDIR)/$B bench/scale $(SCALE)
bench-engines: $B/bench/engines ## the engines against EVP, a copy, libipsec-mb
	$(Q)$<
bench-ladder: $B/bench/ladder ## what each step to many objects at once is worth
	$(Q)$<
bench-kdf: $B/bench/kdf programs $(TOOLS) ## password hashes: many files at once
	$(Q)$<
	$(Q)BUILD=$(CURDIR)/$B bench/share
model: ## every interleaving of the pipeline's protocol
	$(Q)scripts/check-model
proof: ## contracts of the size arithmetic, bounds of the parsers
	$(Q)scripts/check-proofs
lint: ## layers, format, gcc -fanalyzer, clang-tidy, cppcheck, man page
	$(Q)CPPFLAGS='$(CPPFLAGS)' scripts/lint $(ALL_SRC)
symbols: $B/libpdfpipe.so.$(VERSION) ## the shared library shows what it should
	$(Q)scripts/check-symbols $<
format: ## rewrite the sources with clang-format
	$(Q)clang-format -i $$(git ls-files '*.c' '*.h')

install: all ## program, library, headers, pkg-config file, man page
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(LIBDIR)/pkgconfig \
	    $(DESTDIR)$(INCLUDEDIR)/pdfpipe $(DESTDIR)$(MANDIR)/man1
	install -m 755 $B/pdfpipe $(DESTDIR)$(BINDIR)
	install -m 644 include/pdfpipe/*.h $(DESTDIR)$(INCLUDEDIR)/pdfpipe
	install -m 644 $B/libpdfpipe.a $(DESTDIR)$(LIBDIR)
	install -m 755 $B/libpdfpipe.so.$(VERSION) $(DESTDIR)$(LIBDIR)
	ln -sf libpdfpipe.so.$(VERSION) $(DESTDIR)$(LIBDIR)/libpdfpipe.so.$(SOMAJOR)
	ln -sf libpdfpipe.so.$(SOMAJOR) $(DESTDIR)$(LIBDIR)/libpdfpipe.so
	sed 's|@PREFIX@|$(PREFIX)|;s|@LIBDIR@|$(LIBDIR)|;s|@INCLUDEDIR@|$(INCLUDEDIR)|;s|@VERSION@|$(VERSION)|' \
	    config/libpdfpipe.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/libpdfpipe.pc
	install -m 644 $(MAN) $(DESTDIR)$(MANDIR)/man1
uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(BINDIR)/pdfpipe $(DESTDIR)$(LIBDIR)/libpdfpipe.* \
	    $(DESTDIR)$(LIBDIR)/pkgconfig/libpdfpipe.pc \
	    $(patsubst config/man/%,$(DESTDIR)$(MANDIR)/man1/%,$(MAN))
	rm -rf $(DESTDIR)$(INCLUDEDIR)/pdfpipe
clean: ## remove build/
	$(Q)rm -rf build
help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 17

comma := ,
-include $(shell find $B -name '*.d' 2>/dev/null)
