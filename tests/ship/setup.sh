#!/usr/bin/env bash
# Installs what the tests of this folder need beside Python's packages, on Debian; exits with 1, saying why, where it cannot.
set -euo pipefail
missing=()
command -v debootstrap >/dev/null || missing+=(debootstrap)
command -v qemu-aarch64-static >/dev/null || missing+=(qemu-user-static)
command -v wine >/dev/null || missing+=(wine wine64)
command -v x86_64-w64-mingw32-gcc >/dev/null || missing+=(gcc-mingw-w64-x86-64-win32)
command -v buildah >/dev/null || missing+=(buildah)
command -v file >/dev/null || missing+=(file)
command -v unshare >/dev/null || missing+=(util-linux)
[ ${#missing[@]} = 0 ] && [ "$(id -u)" = 0 ] && exit 0
if [ "$(id -u)" != 0 ]; then
	echo "an empty Debian is made with debootstrap and entered with chroot, which only root may" >&2
	exit 1
fi
command -v apt-get >/dev/null || { echo "these are missing: ${missing[*]}" >&2; exit 1; }
apt-get -qq update >&2
DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
