# support.sh - what the tests of the program share; sourced, not run
#
# A test runs in an empty folder with `sh -eu`.  Beside that folder are pw (an
# owner password file) and out and err, what the program said last.
# shellcheck shell=sh

PATH=$BUILD:$PATH
files=$CLI_TESTS/files
pw=../pw
out=../out
err=../err
printf 'owner secret\n' >"$pw"
chmod 600 "$pw"

# fail WHY: ends the test.
fail() {
    if [ -e "$out" ]; then
        tail -n 8 "$out" "$err"
    fi
    echo "not as expected: $*"
    exit 1
}

# skip WHY: the test cannot run here.
skip() {
    echo "$*"
    exit 77
}

# need PROGRAM...: skips the test without them.
need() {
    for program in "$@"; do
        command -v "$program" >/dev/null || skip "$program is not installed"
    done
}

# pdf NAME...: makes plain PDF files, with the folders above them.
pdf() {
    for name in "$@"; do
        mkdir -p "$(dirname "./$name")"
        cp "$files/hello.pdf" "$name"
    done
}

# run CODE ARGUMENT...: runs the program and expects the exit code.
run() {
    expected=$1
    shift
    code=0
    pdfpipe "$@" >"$out" 2>"$err" || code=$?
    [ "$code" -eq "$expected" ] ||
        fail "exit code $code instead of $expected: pdfpipe $*"
}

# enc CODE ARGUMENT...: the same, with an owner password.
enc() {
    expected=$1
    shift
    run "$expected" --owner-password-file "$pw" "$@"
}

# said TEXT, printed TEXT: stderr, stdout has a line with the text.
said() {
    grep -Fq -- "$1" "$err" || fail "stderr lacks: $1"
}
printed() {
    grep -Fq -- "$1" "$out" || fail "stdout lacks: $1"
}
not_said() {
    ! grep -Fq -- "$1" "$err" || fail "stderr has: $1"
}
# silent: neither stdout nor stderr has anything.
silent() {
    [ ! -s "$out" ] || fail "stdout is not empty"
    [ ! -s "$err" ] || fail "stderr is not empty"
}

# Is the file a PDF with an encryption dictionary?
encrypted() {
    for name in "$@"; do
        grep -aq '/Encrypt' "$name" || fail "$name is not encrypted"
    done
}
plain() {
    for name in "$@"; do
        cmp -s "$files/hello.pdf" "$name" || fail "$name was touched"
    done
}
absent() {
    for name in "$@"; do
        if [ -e "$name" ] || [ -L "$name" ]; then
            fail "$name is there"
        fi
    done
}

# No temporary file is left anywhere below.
no_litter() {
    litter=$(find . -name '.pdfpipe-*')
    [ -z "$litter" ] || fail "left behind: $litter"
}
