#!/usr/bin/env bash
# timed.sh WHAT COMMAND...: says what is done and how long it took, if it takes longer than 2 seconds.
set -uo pipefail
what=$1
shift
SECONDS=0
{ sleep 2 && echo "$what"; } &
note=$!
"$@" 2>&1 | grep -v '^ninja: no work to do'
status=${PIPESTATUS[0]}
kill "$note" 2>/dev/null
if (( SECONDS >= 3 )); then echo "done in ${SECONDS} s"; fi
exit "$status"
