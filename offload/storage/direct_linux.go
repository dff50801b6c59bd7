package storage

import (
	"errors"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Direct reads past the system's cache of files, by blocks of the disk (O_DIRECT), what lies in whole blocks, and the
// end of the file otherwise. It writes through that cache, which Linux keeps in step with such reads: parts of blocks
// that several threads write would be lost.
type Direct struct {
	Pread
	direct *os.File
	align  int64 // of offsets, lengths and memory
	fallen atomic.Bool
}

// Name returns "direct".
func (*Direct) Name() string { return "direct" }

// blocks returns the blocks that bytes off to off+n-1 are in, so many of them as a bounce has.
func (d *Direct) blocks(off int64, n int) (lo int64, bytes int) {
	lo = off &^ (d.align - 1)
	end := (off + int64(n) + d.align - 1) &^ (d.align - 1)
	return lo, int(min(end-lo, bounceBytes&^(d.align-1)))
}

func (d *Direct) alignment() int64 { return d.align }

// aligned reports whether p can be read from off on as it lies, in one go.
func (d *Direct) aligned(p []byte, off int64) bool {
	return len(p) > 0 && len(p) <= bounceBytes && (off|int64(len(p))|int64(uintptr(unsafe.Pointer(unsafe.SliceData(p)))))&(d.align-1) == 0
}

// ReadAt reads by whole blocks.
func (d *Direct) ReadAt(p []byte, off int64) (n int, err error) {
	if d.aligned(p, off) {
		if n, err = unix.Pread(int(d.direct.Fd()), p, off); err == nil && n == len(p) {
			return n, nil
		}
	}
	n = 0
	b, err := takeBounce()
	if err != nil {
		return 0, err
	}
	defer giveBounce(b)
	for n < len(p) {
		at := off + int64(n)
		lo, bytes := d.blocks(at, len(p)-n)
		got, err := unix.Pread(int(d.direct.Fd()), b.bytes[:bytes], lo)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		k := 0
		if err == nil && int64(got) > at-lo {
			k = copy(p[n:], b.bytes[at-lo:got])
		}
		if k == 0 { // the end of the file, or a disk that can do it no more
			d.fallen.Store(errors.Is(err, unix.EINVAL))
			k, err = d.Pread.ReadAt(p[n:], at)
			return n + k, err
		}
		n += k
	}
	return n, nil
}

// Close closes the file.
func (d *Direct) Close() error {
	d.direct.Close()
	return d.Pread.Close()
}
