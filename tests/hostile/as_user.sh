#!/bin/sh
# as_user.sh NUMBER LAYOUT HOME PROGRAM...: runs PROGRAM HOME as the user of this number, without any rights, whose home
# HOME becomes; it stays, so that a program need not be compiled again. Exit 77, with the reason, where that is not
# possible.
set -eu
user=$1
layout=$2
home=$3
shift 3
if [ "$(id -u)" -ne 0 ]; then
    echo "skipped: only root can become another user; what runs here runs unprivileged anyway"
    exit 77
fi
command -v setpriv >/dev/null || { echo "skipped: setpriv is not installed"; exit 77; }
drop="setpriv --reuid=$user --regid=$user --clear-groups"
mkdir -p "$home"
chown "$user:$user" "$home"
$drop test -r "$layout" && $drop test -w "$home" ||
    { echo "skipped: the build folder cannot be reached by other users"; exit 77; }
cd "$home"
HOME=$home XDG_CACHE_HOME=$home TMPDIR=$home exec $drop "$@" "$home"
