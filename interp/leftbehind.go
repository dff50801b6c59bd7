package interp

import (
	"bytes"
	"context"
	"fmt"
	"runtime/pprof"
	"slices"
	"strings"
	"sync/atomic"
	"unsafe"
)

// tag marks the goroutines of one run. It is a label of the profiler, which every goroutine inherits from the one that
// starts it, in compiled code too. A goroutine that a halted cell left in compiled code comes back to a poll when later
// cells run: by its tag it is told from theirs. (A cell that sets labels of its own loses the tag, and with it no more
// than this.)
type tag struct {
	name   string
	ctx    context.Context
	labels unsafe.Pointer // what currentLabels returns on a goroutine that has the tag
}

const tagKey = "arrayrepl run"

var tags atomic.Int64

func (s *Session) newTag() tag {
	name := fmt.Sprint(s.tagPrefix(), tags.Add(1))
	t := tag{name: name, ctx: pprof.WithLabels(context.Background(), pprof.Labels(tagKey, name))}
	before := currentLabels()
	t.attach()
	t.labels = currentLabels()
	setLabels(before)
	return t
}

// tagPrefix begins the names of the session's tags.
func (s *Session) tagPrefix() string { return fmt.Sprintf("%p r", s) }

// busy reports whether a goroutine of the session's cells runs, or waits.
func (s *Session) busy() bool {
	for name := range liveRuns() {
		if strings.HasPrefix(name, s.tagPrefix()) {
			return true
		}
	}
	return false
}

// attach gives the tag to the calling goroutine.
func (t tag) attach() { pprof.SetGoroutineLabels(t.ctx) }

// The Go runtime keeps these two for such uses (go.dev/issue/67401): the public API sets labels and cannot read them.
//
//go:linkname currentLabels runtime/pprof.runtime_getProfLabel
func currentLabels() unsafe.Pointer

//go:linkname setLabels runtime/pprof.runtime_setProfLabel
func setLabels(unsafe.Pointer)

// abandon lets polls end the goroutines of t from now on.
func (s *Session) abandon(t tag) {
	s.leftMu.Lock()
	defer s.leftMu.Unlock()
	left := []tag{t}
	if old := s.left.Load(); old != nil {
		left = append(left, *old...)
	}
	s.left.Store(&left)
	setFlag(&s.stop, true)
}

// abandoned reports whether the goroutine with these labels belongs to a run that was halted.
func (s *Session) abandoned(labels unsafe.Pointer) bool {
	left := s.left.Load()
	return left != nil && slices.ContainsFunc(*left, func(t tag) bool { return t.labels == labels })
}

// sweep forgets the halted runs that have no goroutine left. While others have, the flag stays set, and polls ask whose
// goroutine they are on; a session without halted cells pays nothing.
func (s *Session) sweep() {
	s.leftMu.Lock()
	defer s.leftMu.Unlock()
	if old := s.left.Load(); old != nil {
		alive := liveRuns()
		left := slices.DeleteFunc(slices.Clone(*old), func(t tag) bool { return !alive[t.name] })
		s.left.Store(&left)
		if len(left) == 0 {
			s.left.Store(nil)
		}
	}
	setFlag(&s.stop, s.left.Load() != nil)
}

// liveRuns returns the names of the tags that goroutines with interpreted code have. Goroutines of compiled code alone,
// such as the worker of a device, have no polls.
func liveRuns() map[string]bool {
	var profile bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&profile, 1) // into memory: no error
	alive := map[string]bool{}
	for _, group := range strings.Split(profile.String(), "\n\n") {
		if !strings.Contains(group, "goplus/ixgo.") {
			continue
		}
		if _, rest, ok := strings.Cut(group, `"`+tagKey+`":"`); ok {
			name, _, _ := strings.Cut(rest, `"`)
			alive[name] = true
		}
	}
	return alive
}
