package supervise

import (
	"bytes"
	"maps"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
)

// tag marks the goroutines of one run. It is a label of the profiler, which every goroutine inherits from the one that
// starts it, in compiled code too. A goroutine that a halted cell left in compiled code comes back to a poll when later
// cells run: by its tag it is told from theirs. (A cell that sets labels of its own loses the tag, and with it no more
// than this.)
type tag struct {
	name   string
	labels unsafe.Pointer // what golabel.Current returns on a goroutine that has the tag
}

const tagKey = "arrayrepl run"

var tags atomic.Int64

func (s *Supervisor) newTag() tag {
	name := s.tagPrefix + strconv.FormatInt(tags.Add(1), 10)
	return tag{name, golabel.New(tagKey, name)}
}

// Busy reports whether a goroutine of the session's cells runs, or waits.
func (s *Supervisor) Busy() bool {
	for name := range liveCrews() {
		if strings.HasPrefix(name, s.tagPrefix) {
			return true
		}
	}
	return false
}

// attach gives the tag to the calling goroutine.
func (t tag) attach() { golabel.Set(t.labels) }

// leftCrews are the crews that were abandoned and whose goroutines may still run.
type leftCrews struct {
	mu    sync.Mutex // held to change what follows
	names map[string]bool
	stop  bool // the flag that polls read: there are such; written by setFlag alone
}

// sweep forgets the abandoned crews that have no goroutine left. While others have, the flag stays set, and polls ask
// whose goroutine they are on; a session without abandoned crews pays nothing.
func (s *Supervisor) sweep() {
	s.left.mu.Lock()
	defer s.left.mu.Unlock()
	if len(s.left.names) > 0 {
		alive := liveCrews()
		maps.DeleteFunc(s.left.names, func(name string, _ bool) bool { return alive[name] == nil })
	}
	setFlag(&s.left.stop, len(s.left.names) > 0)
}

// alive is what the profile of goroutines says of a crew.
type alive struct {
	deepest int            // stack, in frames of compiled code, as far as the profile goes
	doing   map[string]int // how many goroutines do what
}

// liveCrews returns what the crews with goroutines that have interpreted code do, by the crews' names; under "" stand
// those that have lost their tag. Goroutines of compiled code alone, such as the worker of a device, have no polls.
func liveCrews() map[string]*alive {
	var profile bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&profile, 1) // into memory: no error
	live := map[string]*alive{}
	for _, group := range strings.Split(profile.String(), "\n\n") {
		if !interpreted(group) {
			continue
		}
		name := labelIn(group, crewKey)
		if name == "" {
			name = labelIn(group, tagKey)
		}
		a := live[name]
		if a == nil {
			a = &alive{doing: map[string]int{}}
			live[name] = a
		}
		a.deepest = max(a.deepest, strings.Count(group, "\n#\t"))
		if strings.HasPrefix(group, "goroutine profile:") { // the title
			_, group, _ = strings.Cut(group, "\n")
		}
		number, _, _ := strings.Cut(group, " ")
		n, _ := strconv.Atoi(number)
		a.doing[doing(group)] += max(n, 1)
	}
	return live
}

// labelIn returns a label of a group of the profile.
func labelIn(group, key string) string {
	_, rest, _ := strings.Cut(group, `"`+key+`":"`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// interpreted reports whether a stack has functions of an engine. Of a deep one only the innermost are known.
func interpreted(stack string) bool {
	return strings.Contains(stack, "goplus/ixgo.") || strings.Contains(stack, "/interp/tier.") || strings.Contains(stack, "traefik/yaegi/interp.")
}
