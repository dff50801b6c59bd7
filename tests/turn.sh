#!/usr/bin/env bash
# Prints the number of the commit, by which tests take parts in turn; with the argument seed, a number made of its hash. A clone
# without its history knows no number: there it is made of the commit's time. Without git both are 1.
set -euo pipefail
cd "$(dirname "$0")/.."
hash=$(git rev-parse HEAD 2>/dev/null) || { echo 1; exit; }
if [ "${1:-}" = seed ]; then
	echo $((16#${hash:0:8}))
elif [ "$(git rev-parse --is-shallow-repository)" = true ]; then
	echo $(($(git show -s --format=%ct HEAD) / 60))
else
	git rev-list --count HEAD
fi
