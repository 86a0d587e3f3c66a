#!/bin/sh
# as_user.sh NUMBER LAYOUT CACHE HOME PROGRAM...: runs PROGRAM HOME as the user of this number, without any rights, whose
# home HOME becomes; it stays, so that a program need not be compiled again. What root has compiled into CACHE is taken
# over, once. Exit 77, with the reason, where that is not possible.
set -eu
user=$1
layout=$2
compiled=$3/engine
home=$4
shift 4
if [ "$(id -u)" -ne 0 ]; then
    echo "skipped: only root can become another user; what runs here runs unprivileged anyway"
    exit 77
fi
command -v setpriv >/dev/null || { echo "skipped: setpriv is not installed"; exit 77; }
drop="setpriv --reuid=$user --regid=$user --clear-groups"
mkdir -p "$home"
chown "$user:$user" "$home"
if ! { $drop test -r "$layout" && $drop test -w "$home"; }; then
    echo "skipped: the build folder cannot be reached by other users"
    exit 77
fi
if [ -d "$compiled" ] && [ ! -d "$home/engine" ]; then
    mkdir -m 700 "$home/engine"
    find "$compiled" -maxdepth 1 -name '*.worker' -exec cp -t "$home/engine" {} +
    chown -R "$user:$user" "$home/engine"
fi
cd "$home"
HOME=$home XDG_CACHE_HOME=$home TMPDIR=$home exec $drop "$@" "$home"
