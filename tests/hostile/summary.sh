#!/bin/sh
# summary.sh FOLDER FILE NAME...: puts together what the passes NAME... have left in FOLDER, in FILE and on stdout, and
# takes it away. Exit 1 where a pass is missing or did not go as it should.
set -u
folder=$1
file=$2
shift 2
# shellcheck disable=SC2016 # a program for awk
sum='
    { last = $0; shown = substr($0, 1, 300) }
    FNR == 1 { if (passes++) close_pass(); pass = FILENAME; sub(/.*\//, "", pass) }
    /^FAILED/ { failures = failures "\n  " pass ": " shown }
    /^skipped [^ ]+:/ && !(shown in seen) { seen[shown] = 1; skips = skips "\n  " shown }
    /^skipped:/ { lines = lines "\n  " pass ": " shown; done = 1 }
    /^hostile: / {
        judged++; right += $2; rows += $4; inflated += word("grades"); secrets += word("secrets"); left += word("leftovers,")
        lines = lines "\n  " pass ": " shown; done = 1
    }
    /^controls: / { if ($2 > works) works = $2; dead += word("do", 2); lines = lines "\n  " pass ": " shown; done = 1 }
    function word(name, back,   i) { for (i = 1; i <= NF; i++) if ($i == name) return $(i - 1) + 0; return 0 }
    function close_pass() { if (!done) failures = failures "\n  " pass ": did not come to its end"; done = 0 }
    END {
        close_pass()
        printf "hostile: %d of %d rows as expected in %d passes, %d grades inflated, %d secrets read, %d leftovers; ",
            right, rows, judged, inflated, secrets, left
        printf "%d attacks shown to work without a sandbox%s%s%s\n", works, lines, skips, failures
        exit right < rows || inflated + secrets + left + dead > 0 || failures != "" || rows == 0
    }'
for name in "$@"; do
    [ -f "$folder/$name" ] || { echo "the pass $name has not been run; run them all: ctest -L hostile"; exit 1; }
done
status=0
(cd "$folder" && awk "$sum" "$@") >"$file" || status=$?
cat "$file"
rm -rf "$folder"
touch "$file.new"
exit $status
