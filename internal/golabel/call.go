package golabel

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

// call is a mark of goroutines.
type call struct{ over atomic.Bool }

// marked is what is known of labels that carry a mark.
type marked struct {
	call *call
	of   unsafe.Pointer // the labels that they are a copy of; they may carry another mark
}

// marks has the marked labels by their address. An entry stays as long as a goroutine has the labels: none refers to
// them but as what they are a copy of.
var marks sync.Map // *marked by uintptr

// During runs f, an evaluation that may call functions of the user, with a mark on the calling goroutine, and so on
// those that these functions start. They must not wait for the evaluation's end, which waits for them: see Within. The
// mark ends with f.
func During(f func()) {
	before, c := Current(), new(call)
	defer c.over.Store(true)
	defer Set(before)
	Set(mark(c, before))
	f()
}

// mark returns a copy of labels that carries the mark of c beside those that labels carry and that have not ended.
func mark(c *call, labels unsafe.Pointer) unsafe.Pointer {
	type entry struct {
		key  uintptr
		mark *marked
	}
	to := copied(labels)
	e := entry{uintptr(to), &marked{c, living(labels)}}
	marks.Store(e.key, e.mark)
	// other labels may lie there by now
	runtime.AddCleanup((*byte)(to), func(e entry) { marks.CompareAndDelete(e.key, e.mark) }, e)
	return to
}

func markOf(labels unsafe.Pointer) *marked {
	if m, ok := marks.Load(uintptr(labels)); ok {
		return m.(*marked)
	}
	return nil
}

// living returns labels without those of its marks that have ended, as far as they are its last.
func living(labels unsafe.Pointer) unsafe.Pointer {
	for m := markOf(labels); m != nil && m.call.over.Load(); m = markOf(labels) {
		labels = m.of
	}
	return labels
}

// Within reports whether the calling goroutine works for what During runs: by its labels, or by its stack where a
// function of the user has given it labels of its own.
func Within() bool {
	for m := markOf(Current()); m != nil; m = markOf(m.of) {
		if !m.call.over.Load() {
			return true
		}
	}
	pcs := make([]uintptr, 1<<14)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for {
		f, more := frames.Next()
		switch {
		case strings.HasSuffix(f.Function, "/internal/golabel.During"):
			return true
		case !more:
			return false
		}
	}
}

// Origin returns the labels that marked ones were copied from first; others are returned as they are.
func Origin(labels unsafe.Pointer) unsafe.Pointer {
	for m := markOf(labels); m != nil; m = markOf(labels) {
		labels = m.of
	}
	return labels
}

// Inherit returns labels for a goroutine that one with the labels from starts: to, with the mark of from if that has
// not ended.
func Inherit(from, to unsafe.Pointer) unsafe.Pointer {
	if m := markOf(living(from)); m != nil {
		return mark(m.call, to)
	}
	return to
}
