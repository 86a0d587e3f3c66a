# For .ci/run and .ci/whole, which read this file: `part NAME COMMAND...` runs a command, and notes its time and outcome; `parts_end`
# prints them all, and ends with 1 if a part failed. A part that failed does not keep the next one from being run.
# shellcheck shell=sh
parts_begun=$(date +%s)
parts_said=
parts_failed=0

part() {
    parts_name=$1
    shift
    printf '\n== %s: %s\n' "$parts_name" "$*"
    parts_start=$(date +%s)
    parts_outcome=passed
    "$@" || { parts_outcome="failed ($?)" && parts_failed=1; }
    parts_said="$parts_said
$(printf '%-24s %5d s   %s' "$parts_name" "$(($(date +%s) - parts_start))" "$parts_outcome")"
}

parts_end() {
    printf '\n== parts%s\n%-24s %5d s\n' "$parts_said" all "$(($(date +%s) - parts_begun))"
    exit "$parts_failed"
}
