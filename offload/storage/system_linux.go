package storage

import (
	"fmt"
	"os"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"golang.org/x/sys/unix"
)

// systemBacking makes a Direct or a Uring, or what comes next to it, with the reason.
func systemBacking(disk *os.File, o Options) (Backing, string, error) {
	d, why := newDirect(disk)
	if o.Backing == "direct" {
		if d == nil {
			return Pread{disk}, why, nil
		}
		return d, "", nil
	}
	u, err := newUring(disk, d)
	switch {
	case err != nil && d != nil:
		return d, "the system refuses io_uring: " + brief.Reason(err), nil
	case err != nil:
		return Pread{disk}, "the system refuses io_uring: " + brief.Reason(err) + "; " + why, nil
	}
	return u, why, nil
}

// newDirect opens the file of disk once more, past the system's cache; nil and the reason where its disk cannot do
// that.
func newDirect(disk *os.File) (*Direct, string) {
	again := fmt.Sprintf("/proc/self/fd/%d", disk.Fd()) // the same file, whatever has its name now
	f, err := os.OpenFile(again, os.O_RDONLY|unix.O_DIRECT, 0)
	if err != nil {
		return nil, "its disk reads through the system's cache alone: " + brief.Reason(err)
	}
	d := &Direct{Pread: Pread{disk}, direct: f, align: 4096}
	var x unix.Statx_t
	if unix.Statx(int(f.Fd()), "", unix.AT_EMPTY_PATH, unix.STATX_DIOALIGN, &x) == nil && x.Mask&unix.STATX_DIOALIGN != 0 {
		if x.Dio_offset_align == 0 {
			f.Close()
			return nil, "its disk reads through the system's cache alone"
		}
		d.align = max(int64(x.Dio_offset_align), int64(x.Dio_mem_align))
	}
	if d.align > bounceBytes { // a disk with blocks of a megabyte
		f.Close()
		return nil, fmt.Sprintf("its disk has blocks of %d bytes", d.align)
	}
	info, err := disk.Stat()
	if err == nil && info.Size() >= d.align { // some systems say only now that they cannot
		_, err = d.ReadAt(make([]byte, 1), 0)
	}
	if err != nil || d.fallen.Load() {
		f.Close()
		return nil, "its disk reads through the system's cache alone"
	}
	return d, ""
}
