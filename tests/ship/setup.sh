#!/usr/bin/env bash
# Installs what the tests of this folder need beside Python's packages, on Debian; all of it, or only the packages that are named.
# Exits with 1, saying why, where it cannot.
set -euo pipefail
declare -A program=([file]=file [qemu-user-static]=qemu-aarch64-static [libc6-arm64-cross]=/usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1
	[debootstrap]=debootstrap [buildah]=buildah [wine]=wine [wine64]=wine
	[gcc-mingw-w64-x86-64-win32]=x86_64-w64-mingw32-gcc [util-linux]=unshare)
all=$#
[ $# -gt 0 ] || set -- "${!program[@]}"
missing=()
for package; do
	command -v "${program[$package]}" >/dev/null || missing+=("$package")
done
if [ "$(id -u)" != 0 ] && [ "$all" = 0 ]; then
	echo "an empty Debian is made with debootstrap and entered with chroot, which only root may" >&2
	exit 1
fi
[ ${#missing[@]} = 0 ] && exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
	echo "these are missing: ${missing[*]}" >&2
	exit 1
fi
apt-get -qq update >&2
DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
