#!/bin/sh
# pass.sh FOLDER NAME PROGRAM...: runs one pass of the battery, and keeps what it says in FOLDER/NAME for summary.sh.
set -u
folder=$1
name=$2
shift 2
mkdir -p "$folder"
status=0
"$@" >"$folder/.$name" 2>&1 || status=$?
cat "$folder/.$name"
mv "$folder/.$name" "$folder/$name"
exit $status
