package supervise

import (
	"fmt"
	"go/types"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// A cell that waits for what nobody will send is told after waitNotice, and after waitLong where a timer, a signal or
// another process may be what it waits for. More goroutines than waitGoroutines are not looked at.
const (
	waitNotice     = time.Second
	waitLong       = 10 * time.Second
	waitGoroutines = 2000
	waitDump       = 1 << 20 // bytes of their stacks
)

// watchWaits tells of cells that wait for ever, as far as that can be seen: all goroutines of the session's cells stand
// in operations on channels, or wait for a mutex or a wait group, in interpretedFrame code.
func (s *Supervisor) watchWaits(now time.Time) {
	s.mu.Lock()
	var watched []*Run
	notice := waitNotice
	if s.woken.Load() {
		notice = waitLong
	}
	for _, r := range s.running {
		if !r.told && now.Sub(r.begun) > notice/2 {
			watched = append(watched, r)
		}
	}
	s.mu.Unlock()
	if len(watched) == 0 || runtime.NumGoroutine() > waitGoroutines {
		return
	}
	waiting := s.allWait()
	for _, r := range watched {
		switch {
		case !waiting[r.id.Load()]:
			r.waits = time.Time{}
		case r.waits.IsZero():
			r.waits = now
		case now.Sub(r.waits) >= notice-waitTick:
			r.told = true
			s.writeOf(r, stderr, []byte(waitText(r.where(), notice == waitLong)))
		}
	}
}

// waitText is what is said of a cell that waits at a place. A session that has made what wakes from outside, as a
// timer, cannot know that nothing will.
func waitText(at []engine.Frame, woken bool) string {
	where := ""
	if len(at) > 0 {
		where = " at " + at[0].String()
	}
	hope := "nothing here can wake it. Interrupt it to go on."
	if woken {
		hope = "only a timer, a signal, a connection or another process can wake it. Interrupt it if none of them will."
	}
	return fmt.Sprintf("The cell waits%s, and so do all goroutines of cells: %s\n", where, hope)
}

// allWait returns the ids of the goroutines of the session's cells when all of them wait, nil when one may go on.
func (s *Supervisor) allWait() map[uint64]bool {
	dump := make([]byte, waitDump)
	n := runtime.Stack(dump, true)
	if n == len(dump) {
		return nil
	}
	waiting := map[uint64]bool{}
	for g := range strings.SplitSeq(string(dump[:n]), "\n\n") {
		m := goroutineLine.FindStringSubmatch(g)
		if m == nil || !interpretedFrame.MatchString(g) {
			continue
		}
		if tagged := strings.Contains(m[0], tagKey); tagged && !strings.Contains(m[0], s.tagPrefix) {
			continue // another session's; which it is stands there only with GODEBUG=tracebacklabels=1
		}
		if !waitStates[m[2]] || !waitsInCell(g) {
			return nil
		}
		id, _ := strconv.ParseUint(m[1], 10, 64)
		waiting[id] = true
	}
	return waiting
}

var (
	goroutineLine    = lazyregexp.New(`^goroutine (\d+) \[([^,\]]*?)(?: \(durable\))?(?:,[^\]]*)?(?: labels:.*)?\]:`)
	interpretedFrame = lazyregexp.New(`(?m)^github\.com/(goplus/ixgo|traefik/yaegi/interp|arrayrepl/arrayrepl/interp/tier)\.`)
	// waitStates are the runtime's words for goroutines that another goroutine must wake.
	waitStates = map[string]bool{
		"chan receive": true, "chan receive (nil chan)": true, "chan send": true, "chan send (nil chan)": true,
		"select": true, "select (no cases)": true, "semacquire": true, "sync.Cond.Wait": true, "sync.Mutex.Lock": true,
		"sync.RWMutex.Lock": true, "sync.RWMutex.RLock": true, "sync.WaitGroup.Wait": true,
	}
)

// waitsInCell reports whether it is the cell's own code that waits, and not a function that it called: that may be an
// evaluation, or a sleep.
func waitsInCell(stack string) bool {
	for line := range strings.SplitSeq(stack, "\n") {
		if strings.HasPrefix(line, "goroutine ") || strings.HasPrefix(line, "\t") || isWaiter(line) {
			continue
		}
		pkg, _, _ := strings.Cut(line[strings.LastIndex(line, "/")+1:], ".")
		switch pkg {
		case "runtime", "reflect", "sync":
			continue
		}
		return interpretedFrame.MatchString(line)
	}
	return false
}

// Uses notes that cells use obj, which may make what can wake a goroutine from outside.
func (s *Supervisor) Uses(obj types.Object) {
	if wakes(obj) {
		s.woken.Store(true)
	}
}

// wakes reports whether obj makes something that can wake a goroutine from outside.
func wakes(obj types.Object) bool {
	if obj == nil || obj.Pkg() == nil {
		return false
	}
	switch path := obj.Pkg().Path(); path {
	case "time":
		switch obj.Name() {
		case "After", "AfterFunc", "NewTimer", "NewTicker", "Tick":
			return true
		}
	case "context":
		return strings.HasPrefix(obj.Name(), "WithTimeout") || strings.HasPrefix(obj.Name(), "WithDeadline")
	default:
		return path == "os/signal" || path == "os/exec" || path == "net" || strings.HasPrefix(path, "net/") || strings.HasSuffix(path, "/kernel/widgets")
	}
	return false
}

// isWaiter reports whether a line of a stack is a function in which goroutines of cells wait for channels.
func isWaiter(line string) bool {
	for _, name := range []string{"/interp/ixgo.(*waiter).", "/interp/ixgo.receiveAs[", "/interp/ixgo.sendAs[", "/interp/ixgo.boxed[", "/interp/ixgo.direct.", "/interp/ixgo.dynamic.", "/interp/ixgo.newElement.", "/parking.(*Lot).", "/interp/supervise.(*Supervisor).awaitMutex", "/interp/supervise.(*Supervisor).awaitGroup", "/interp/supervise.(*Supervisor).awaitCond", "/interp/supervise.lock[", "/interp/supervise.(*Supervisor).locks.", "/interp/supervise.(*Supervisor).waitGroup", "/interp/supervise.(*Supervisor).waitCond", "/interp/ixgo.watchEntry.", "/interp/ixgo.(*Engine)."} {
		if strings.Contains(line, name) {
			return true
		}
	}
	return false
}
