package supervise

import (
	"slices"
	"strings"
)

// waits are functions by which it is known what a goroutine does that has them on top of its stack, the first that
// fits.
var waits = []struct{ function, doing string }{
	{"interp/supervise.(*Supervisor).sleep", "sleeping"},
	{"time.Sleep", "sleeping"},
	{"interp/ixgo.receiveAs[", "waiting to receive"},
	{"interp/ixgo.sendAs[", "waiting to send"},
	{"interp/ixgo.(*waiter).receive", "waiting to receive"},
	{"interp/ixgo.(*waiter).send", "waiting to send"},
	{"interp/ixgo.(*waiter).choose", "waiting in a select"},
	{"reflect.chanrecv", "waiting to receive"},
	{"reflect.chansend", "waiting to send"},
	{"reflect.rselect", "waiting in a select"},
	{"interp/supervise.(*Supervisor).waitCond", "waiting for a sync.Cond"},
	{"interp/supervise.(*Supervisor).awaitMutex", "waiting for a mutex"},
	{"interp/supervise.(*Supervisor).awaitGroup", "waiting for a wait group"},
	{"sync.(*Cond).Wait", "waiting for a sync.Cond"},
	{"sync.(*WaitGroup).Wait", "waiting for a wait group"},
	{"sync.(*Mutex).Lock", "waiting for a mutex"},
	{"sync.(*RWMutex).", "waiting for a mutex"},
	{"net.(*netFD).accept", "waiting for a connection"},
	{"net.(*netFD).Read", "reading from a connection"},
	{"net.(*netFD).read", "reading from a connection"},
	{"net.(*netFD).connect", "connecting"},
	{"os/exec.(*Cmd).Wait", "waiting for a process"},
	{"os.(*Process).Wait", "waiting for a process"},
	{"os.(*File).Read", "reading from a file"},
}

// onTop is how many frames from the top are looked at for one of waits.
const onTop = 12

// doing says what the goroutines of a group of the profile do.
func doing(group string) string {
	var frames []string
	for line := range strings.Lines(group) {
		if f := strings.Split(line, "\t"); len(f) > 2 && f[0] == "#" {
			name, _, _ := strings.Cut(f[2], "+0x")
			frames = append(frames, name)
		}
	}
	compiled := len(frames) // frames of compiled code on top of the cell's
	for i, name := range frames {
		if interpreted(name) || strings.HasSuffix(name, "/interp/ixgo.(*Engine).callback") {
			compiled = i
			break
		}
	}
	if slices.ContainsFunc(frames[:compiled], func(name string) bool { return strings.Contains(name, "interp/supervise.(*Supervisor).serve") }) {
		return serving
	}
	top := frames[:min(len(frames), onTop)]
	for _, w := range waits {
		for i, name := range top {
			if i <= compiled && strings.Contains(name, w.function) {
				return w.doing
			}
		}
	}
	for _, name := range frames[:compiled] {
		if !strings.HasPrefix(name, "reflect.") && !strings.HasPrefix(name, "internal/") && !strings.Contains(name, "arrayrepl/interp.") && !strings.Contains(name, "arrayrepl/interp/supervise.") && !strings.Contains(name, "arrayrepl/interp/ixgo.") && !strings.Contains(name, "arrayrepl/interp/internal/") {
			return "in " + name[strings.LastIndexByte(name, '/')+1:]
		}
	}
	return "running"
}
