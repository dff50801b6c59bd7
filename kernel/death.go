package kernel

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

// sessionDied is the name of the error of a cell that took the session's process along, or was taken along.
const sessionDied = "SessionDied"

// deaths explains what the Go runtime says when it gives up.
var deaths = []struct{ said, means string }{
	{"concurrent map writes", "two goroutines wrote to one map at the same time; guard it with a sync.Mutex, or use a sync.Map"},
	{"concurrent map read and map write", "one goroutine read a map while another wrote to it; guard it with a sync.RWMutex, or use a sync.Map"},
	{"concurrent map iteration and map write", "one goroutine ranged over a map while another wrote to it; guard it with a sync.Mutex"},
	{"out of memory", "the system gave no more memory"},
	{"cannot allocate memory", "the system gave no more memory"},
	{"stack overflow", "the calls of a goroutine were nested too deep"},
	{"goroutine stack exceeds", "the calls of a goroutine were nested too deep"},
	{"fault address", "memory was touched that is not there, by C code or through unsafe"},
	{"SIGSEGV", "memory was touched that is not there, by C code or through unsafe"},
	{"SIGBUS", "memory was touched that is not there, by C code or through unsafe"},
	{"SIGILL", "the processor met an instruction that it does not know"},
	{"SIGABRT", "C code gave up"},
	{"unlock of unlocked", "a mutex was unlocked that was not locked"},
}

// shownNames is how many variables an error lists.
const shownNames = 20

// deathOf is the error of the calls that a process took along: how it ended, what the Go runtime said, and the
// variables that are gone.
func deathOf(exit error, tail, crash []byte, names []string) *CellError {
	said, site := readTrace(string(tail), string(crash))
	e := &CellError{Name: sessionDied}
	switch {
	case said != "":
		e.Value = said
		for _, d := range deaths {
			if strings.Contains(said, d.said) {
				e.Value += ": " + d.means
				break
			}
		}
	case exit == nil:
		e.Value = "the process ended by itself: was exit called in C code?"
	case exit.Error() == "signal: killed":
		e.Value = "the process was killed: by hand, or by the system, which does so when memory runs out"
	default:
		e.Value = "the process ended: " + exit.Error()
	}
	e.Traceback = []string{"\x1b[31mThe session has died\x1b[0m: " + e.Value}
	if site != "" {
		e.Traceback = append(e.Traceback, "    "+site)
	}
	if len(names) > 0 {
		list := names
		more := ""
		if len(list) > shownNames {
			list, more = list[:shownNames], fmt.Sprintf(" and %d more", len(names)-shownNames)
		}
		e.Traceback = append(e.Traceback, "Lost: "+strings.Join(list, ", ")+more)
	}
	e.Traceback = append(e.Traceback, "A new session has been started: run the cells again that define what you need.")
	return e
}

var (
	fatalLine = lazyregexp.New(`(?m)^(?:fatal error: |SIG[A-Z]+: |unexpected fault address )`)
	saidLine  = lazyregexp.New(`(?m)^(?:fatal error: |panic: |SIG[A-Z]+: |unexpected fault address |runtime: out of memory)(.*)$`)
	crashSite = lazyregexp.New(`CrashSite\(0x([0-9a-f]+)\??, 0x([0-9a-f]+)\??`)
)

// readTrace finds in the trace of a crash what the runtime said, and the line of the cell when an engine left it there:
// as the arguments of a function whose name ends in CrashSite.
func readTrace(tail, trace string) (said, site string) {
	lines := saidLine.FindAllString(trace, -1)
	if len(lines) == 0 && trace != "" {
		lines = saidLine.FindAllString(tail, -1)
		lines = lines[max(0, len(lines)-2):] // before these are the cell's own
	}
	for _, line := range lines {
		if line = strings.TrimPrefix(line, "fatal error: "); said == "" || said == "fault" {
			said = line
		}
	}
	if m := crashSite.FindStringSubmatch(trace); m != nil {
		cell, _ := strconv.ParseUint(m[1], 16, 32)
		line, _ := strconv.ParseUint(m[2], 16, 32)
		site = fmt.Sprintf("cell %d, line %d", cell, line)
	}
	return said, site
}

// crashEnv makes the Go runtime name the run of each goroutine in the trace of a crash.
func crashEnv() string {
	const want = "tracebacklabels=1"
	if have := os.Getenv("GODEBUG"); have != "" {
		return "GODEBUG=" + have + "," + want
	}
	return "GODEBUG=" + want
}
