//go:build unix

package interp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

// Go's own tests judge the session, each program as a whole file and as one cell.
const (
	suiteDeadline = 15 * time.Minute // divmod.go takes minutes without the numeric tier
)

// suiteWay is a way that the programs are run.
type suiteWay struct {
	name  string
	least int                         // how many must pass of the 349 of Go 1.26
	text  func(program string) string // what the session is given
}

var suiteWays = []suiteWay{
	{"whole", 339, func(program string) string { return program }},
	{"cell", 339, asCell},
}

// suiteFails are the programs that fail, either way, and why.
var suiteFails = map[string]string{
	"closure.go":              "counts allocations: boxed values allocate",
	"heapsampling.go":         "reads the heap profile: allocations are those of the engine's functions",
	"linkobj.go":              "runs the linker on object files",
	"nilptr.go":               "wants a 256 MB package variable at a low address",
	"stackobj.go":             "wants a variable collected before its function returns",
	"stackobj3.go":            "wants a variable collected before its function returns",
	"typeparam/chans.go":      "wants a channel's finalizer to run while its function has not returned",
	"typeparam/issue47716.go": "unsafe.Offsetof of a field whose place depends on type arguments",
}

// asCell makes one cell of a program: what its main function does is done by its last statement.
func asCell(program string) string {
	before, after, _ := strings.Cut(program, "\npackage main")
	return before + "\n" + after + "\nmain()\n"
}

func TestMain(m *testing.M) { judge.Main(m, 12<<30, runSuiteProgram) }

// runSuiteProgram is the child, told of the way and the mode of the numeric tier: what the program prints goes to the
// child's own output.
func runSuiteProgram(program, way string) int {
	way, mode, _ := strings.Cut(way, " ")
	i := slices.IndexFunc(suiteWays, func(w suiteWay) bool { return w.name == way })
	s, err := New(Options{Tier: mode})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	ctx, cancel := context.WithTimeout(context.Background(), suiteDeadline)
	defer cancel()
	_, err = s.Run(ctx, 1, suiteWays[i].text(program))
	var e *Error
	if errors.As(err, &e) && !(e.Kind == Exit && strings.HasPrefix(e.Message, "os.Exit(0)")) {
		fmt.Fprintln(os.Stderr, strings.Join(e.Lines(false), "\n"))
		return 2
	}
	return 0
}

func TestGoSuite(t *testing.T) {
	if defaultTier == engine.TierOff {
		suiteFails["peano.go"] = "nests calls deeper than a cell may, but in the numeric tier"
	}
	all := judge.FindSuite(t)
	for i, way := range suiteWays {
		t.Run(way.name, func(t *testing.T) {
			suite := all.Part(t, i+map[string]int{engine.TierOff: 1, engine.TierForce: 2}[defaultTier])
			if defaultTier == engine.TierOff && !judge.AllOfSuite() {
				// for minutes one processor would do nothing else: make test-tier runs it
				suite = suite.Without("divmod.go")
			}
			failures := suite.Run(t, way.name+" "+defaultTier, suiteDeadline)
			for _, p := range suite.Programs {
				why, known := suiteFails[p]
				switch got := failures[p]; {
				case got == "" && known:
					t.Errorf("%s passes and is listed as failing (%s): take it off the list", p, why)
				case got != "" && !known:
					t.Errorf("%s fails: %s", p, got)
				case got != "":
					t.Logf("%s fails, as listed: %s", p, why)
				}
			}
			passed := len(suite.Programs) - len(failures)
			t.Logf("%d of %d programs pass", passed, len(suite.Programs))
			if judge.AllOfSuite() && passed < way.least {
				t.Errorf("%d of %d programs pass, want at least %d", passed, len(suite.Programs), way.least)
			}
		})
	}
}
