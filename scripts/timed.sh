#!/usr/bin/env bash
# timed.sh WHAT COMMAND...: says what is done before, and how long it took after; silent about steps under 3 seconds.
set -euo pipefail
what=$1
shift
SECONDS=0
# A command with nothing to do is not worth a line.
if [[ $1 == ninja ]]; then
  loud=()  # a quiet dry run says nothing either way
  for word in "$@"; do [[ $word == --quiet ]] || loud+=("$word"); done
  if [[ $("${loud[@]}" -n) == *"no work to do"* ]]; then exit 0; fi
fi
echo "$what"
"$@"
if (( SECONDS >= 3 )); then echo "$what: done in ${SECONDS} s"; fi
