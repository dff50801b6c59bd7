package interp

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

// tag marks the goroutines of one run. It is a label of the profiler, which every goroutine inherits from the one that
// starts it, in compiled code too. A goroutine that a halted cell left in compiled code comes back to a poll when later
// cells run: by its tag it is told from theirs. (A cell that sets labels of its own loses the tag, and with it no more
// than this.)
type tag struct {
	name   string
	labels unsafe.Pointer // what currentLabels returns on a goroutine that has the tag
}

const tagKey = "arrayrepl run"

var tags atomic.Int64

func (s *Session) newTag() tag {
	t := tag{name: fmt.Sprint(s.tagPrefix(), tags.Add(1))}
	before := currentLabels()
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels(tagKey, t.name)))
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
func (t tag) attach() { setLabels(t.labels) }

// The Go runtime keeps these two for such uses (go.dev/issue/67401): the public API sets labels and cannot read them.
//
//go:linkname currentLabels runtime/pprof.runtime_getProfLabel
func currentLabels() unsafe.Pointer

//go:linkname setLabels runtime/pprof.runtime_setProfLabel
func setLabels(unsafe.Pointer)

// owners finds runs by the tags of their goroutines. A run stays in it as long as a goroutine has its tag: nothing else that
// stays may refer to the labels.
type owners struct{ byLabels sync.Map } // *run by uintptr

func (o *owners) add(t tag, r *run) {
	type entry struct {
		o   *owners
		key uintptr
		r   *run
	}
	key := uintptr(t.labels)
	o.byLabels.Store(key, r)
	runtime.AddCleanup((*byte)(t.labels), func(e entry) { e.o.byLabels.CompareAndDelete(e.key, e.r) }, entry{o, key, r})
}

// of returns the run whose goroutines have these labels, nil when there is none.
func (o *owners) of(labels unsafe.Pointer) *run {
	if r, ok := o.byLabels.Load(uintptr(labels)); ok {
		return r.(*run)
	}
	return nil
}

// mine returns the run that the calling goroutine belongs to, also one that is over, and the latest of those that run when
// that is not known; nil when none does.
func (s *Session) mine() *run {
	if r := s.owners.of(currentLabels()); r != nil {
		return r
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.running); n > 0 {
		return s.running[n-1]
	}
	return nil
}

// abandon lets polls end the goroutines of r from now on.
func (s *Session) abandon(r *run) {
	r.abandoned.Store(true)
	s.leftMu.Lock()
	defer s.leftMu.Unlock()
	if s.left == nil {
		s.left = map[string]bool{}
	}
	s.left[r.name] = true
	setFlag(&s.stop, true)
}

// sweep forgets the abandoned runs that have no goroutine left. While others have, the flag stays set, and polls ask whose
// goroutine they are on; a session without abandoned runs pays nothing.
func (s *Session) sweep() {
	s.leftMu.Lock()
	defer s.leftMu.Unlock()
	if len(s.left) > 0 {
		alive := liveRuns()
		maps.DeleteFunc(s.left, func(name string, _ bool) bool { return alive[name] == 0 })
	}
	setFlag(&s.stop, len(s.left) > 0)
}

// liveRuns returns the names of the tags that goroutines with interpreted code have, with the deepest stack of each in
// frames of compiled code, as far as the profile goes; under "" stands one that has lost its tag. Goroutines of compiled code alone, such as the worker of a device, have
// no polls.
func liveRuns() map[string]int {
	var profile bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&profile, 1) // into memory: no error
	alive := map[string]int{}
	for _, group := range strings.Split(profile.String(), "\n\n") {
		if !interpreted(group) {
			continue
		}
		_, rest, _ := strings.Cut(group, `"`+tagKey+`":"`)
		name, _, _ := strings.Cut(rest, `"`)
		alive[name] = max(alive[name], strings.Count(group, "\n#\t"))
	}
	return alive
}

// interpreted reports whether a stack has functions of an engine. Of a deep one only the innermost are known.
func interpreted(stack string) bool {
	return strings.Contains(stack, "goplus/ixgo.") || strings.Contains(stack, "/interp/tier.") || strings.Contains(stack, "traefik/yaegi/interp.")
}
