#!/bin/sh
# as_nobody.sh LAYOUT PROGRAM...: runs PROGRAM as a user without any rights, in a home of its own that goes away.
# Exit 77, with the reason, where that is not possible.
set -eu
layout=$1
shift
if [ "$(id -u)" -ne 0 ]; then
    echo "skipped: only root can become another user; what runs here runs unprivileged anyway"
    exit 77
fi
command -v setpriv >/dev/null || { echo "skipped: setpriv is not installed"; exit 77; }
drop="setpriv --reuid=65534 --regid=65534 --clear-groups"
$drop test -r "$layout" || { echo "skipped: the build folder is not readable for other users"; exit 77; }
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
chown 65534:65534 "$home"
cd "$home"
status=0
HOME=$home XDG_CACHE_HOME=$home/cache TMPDIR=$home $drop "$@" "$home" || status=$?
exit $status
