package offload

import (
	"context"
	"runtime"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/storage"
)

// SourceValue returns a value that is the bytes of a source, which must not change while the value lives. The source is
// released when the value is gone.
func (rt *Runtime) SourceValue(s *storage.Source) *Value {
	v := rt.NewValue(int(s.Bytes()))
	v.host, v.source, v.lent = s.Memory(), s, true
	runtime.AddCleanup(v, (*storage.Source).Release, s)
	return v
}

// Source returns where the host has the value, when that is not memory of its own; else nil.
func (v *Value) Source() *storage.Source { return v.source }

// checkSources returns an error when what p reads is not what it was. A file that was cut reads as zeros up to the end
// of its last page: only this tells.
func (p Program) checkSources() error {
	check := func(vs []*Value) error {
		for _, v := range vs {
			if v == nil || v.source == nil {
				continue
			}
			if err := v.source.Check(); err != nil {
				return err
			}
		}
		return nil
	}
	for _, t := range p.Tasks {
		for _, vs := range [][]*Value{t.In, t.From} {
			if err := check(vs); err != nil {
				return err
			}
		}
	}
	return check(p.Want)
}

// stagedBytes is how much of a source is copied to a device at a time.
const stagedBytes = 16 << 20

// copyRanges copies v's source to r by way of memory of the program's own: a device's driver is not Go's code, in which
// a file that is cut would end the program.
func (rt *Runtime) copyRanges(ctx context.Context, s device.Stream, r *resident, v *Value) (last device.Event, err error) {
	var stages [2]struct {
		bytes []byte
		used  device.Event
	}
	for off, k := 0, 0; off < v.size || last == nil; k = 1 - k {
		st := &stages[k]
		n := min(stagedBytes, v.size-off)
		if st.bytes == nil {
			st.bytes = make([]byte, n)
		}
		if st.used != nil {
			if err := st.used.Wait(ctx); err != nil {
				return nil, err
			}
		}
		if err := v.source.ReadAt(st.bytes[:n], int64(off)); err != nil {
			return nil, err
		}
		st.used = s.CopyIn(r.block.Buffer, off, st.bytes[:n])
		off, last = off+n, st.used
	}
	return last, nil
}
