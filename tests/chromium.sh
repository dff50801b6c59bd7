#!/usr/bin/env bash
# Prints the path of a Chromium to drive, installing Debian's where that is possible.
set -euo pipefail
find_it() { command -v chromium || command -v chromium-browser || command -v google-chrome; }
find_it && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	apt-get -qq update >&2 && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y chromium >/dev/null 2>&1
	find_it && exit 0
fi
echo "the browser tests need Chromium: install it (Debian: apt-get install chromium) and run make again" >&2
exit 1
