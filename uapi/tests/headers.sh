#!/bin/sh
# SPDX-License-Identifier: MIT
# headers.sh UAPI CFLAGS...: each header of uapi/ compiles alone, in each language and for each word size that includes it
set -u
here=$(dirname "$0")
uapi=$1
shift
cc=${CC:-cc}
system=/usr/include/$($cc -print-multiarch)
n=0

# try WHAT SOURCE COMPILER...
try()
{
	what=$1
	source=$2
	shift 2
	n=$((n + 1))
	if errors=$(printf '%s\n' "$source" | "$@" -Wall -Wextra -Werror -fsyntax-only - 2>&1); then
		echo "ok $n - $what"
	else
		echo "not ok $n - $what"
		printf '%s\n' "$errors" | sed 's/^/# /'
	fi
}

echo "TAP version 13"
for header in v3d/types.h v3d/regs.h v3d/packets.h v3d/words.h v3d/qpu.h v3d/lists.h v3d/mailbox.h drm/v3dcl_drm.h; do
	for flags in "-m64 -std=gnu99" "-m64 -std=gnu11" "-m32 -std=gnu11" "-m64 -std=gnu11 -ffreestanding -O2"; do
		# shellcheck disable=SC2086 # flags are words
		try "$header, C, $flags" "#include <$header>" "$cc" -x c $flags -I"$uapi" "$@" -isystem "$system"
	done
done
for header in v3d/types.h v3d/regs.h v3d/packets.h v3d/words.h v3d/qpu.h v3d/lists.h v3d/mailbox.h drm/v3dcl_drm.h; do
	for flags in "-std=gnu++11" "-std=gnu++17 -O2"; do
		# shellcheck disable=SC2086 # flags are words
		try "$header, C++, $flags" "#include <$header>" "$cc" -x c++ $flags -I"$uapi" "$@"
	done
done
for bits in 32 64; do
	try "layout of the ioctls' structs, $bits-bit callers" "$(cat "$here/layout.c")" "$cc" -x c -std=gnu11 -m$bits -I"$uapi" "$@" -isystem "$system"
done
echo "1..$n"
