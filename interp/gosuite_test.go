//go:build unix

package interp

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Go's own tests judge the session: every program under $GOROOT/test, and in the folders named here, that begins with
// "// run". Each is run twice, as a whole file and as one cell, in a process of its own, as some of them exit, take much
// memory or hang.
var suiteDirs = []string{".", "chan", "interface", "ken", "typeparam"}

const (
	suiteProgram  = "ARRAYREPL_SUITE_PROGRAM" // environment of a child: the file to run
	suiteWayName  = "ARRAYREPL_SUITE_WAY"     // and how
	suiteDeadline = 5 * time.Minute
	suitePart     = 3 // of how many programs the short test runs one: those that the slowest are not among
)

var allOfSuite = flag.Bool("gosuite", false, "run all programs of $GOROOT/test instead of a third")

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
	"peano.go":                "nests calls deeper than a cell may",
	"stackobj.go":             "wants a variable collected before its function returns",
	"stackobj3.go":            "wants a variable collected before its function returns",
	"typeparam/chans.go":      "wants a channel's finalizer to run while its function has not returned",
	"typeparam/issue47716.go": "unsafe.Offsetof of a field whose place depends on type arguments",
	"typeparam/nested.go":     "prints reflect's names of types in generic functions: the compiler numbers them",
}

// asCell makes one cell of a program: what its main function does is done by its last statement.
func asCell(program string) string {
	before, after, _ := strings.Cut(program, "\npackage main")
	return before + "\n" + after + "\nmain()\n"
}

func TestMain(m *testing.M) {
	if file := os.Getenv(suiteProgram); file != "" {
		os.Exit(runSuiteProgram(file, os.Getenv(suiteWayName)))
	}
	os.Exit(m.Run())
}

// runSuiteProgram is the child: what the program prints goes to the child's own output.
func runSuiteProgram(file, way string) int {
	limit := syscall.Rlimit{Cur: 12 << 30, Max: 12 << 30}
	_ = syscall.Setrlimit(syscall.RLIMIT_AS, &limit) // a program that takes more fails alone
	src, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	i := slices.IndexFunc(suiteWays, func(w suiteWay) bool { return w.name == way })
	s, err := New(Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	ctx, cancel := context.WithTimeout(context.Background(), suiteDeadline)
	defer cancel()
	_, err = s.Run(ctx, 1, suiteWays[i].text(string(src)))
	var e *Error
	if errors.As(err, &e) && !(e.Kind == Exit && strings.HasPrefix(e.Message, "os.Exit(0)")) {
		fmt.Fprintln(os.Stderr, strings.Join(e.Lines(false), "\n"))
		return 2
	}
	return 0
}

// suitePrograms lists the programs, by their paths below dir.
func suitePrograms(t *testing.T, dir string) []string {
	var out []string
	for _, d := range suiteDirs {
		files, err := filepath.Glob(filepath.Join(dir, d, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if slices.Contains(strings.Split(string(src), "\n"), "// run") {
				name, _ := filepath.Rel(dir, f)
				out = append(out, filepath.ToSlash(name))
			}
		}
	}
	return out
}

func TestGoSuite(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("no go command, and so no test programs of Go: %v", err)
	}
	dir := filepath.Join(strings.TrimSpace(string(root)), "test")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("this Go has no test directory (%s): its programs cannot be run", dir)
	}
	all := suitePrograms(t, dir)
	if len(all) < 340 {
		t.Fatalf("%d programs in %s, want 349 as in Go 1.26", len(all), dir)
	}
	for _, way := range suiteWays {
		t.Run(way.name, func(t *testing.T) {
			programs := all
			if !*allOfSuite {
				programs = nil
				for i := 1; i < len(all); i += suitePart {
					programs = append(programs, all[i])
				}
			}
			failures := runSuite(t, dir, way.name, programs)
			for _, p := range programs {
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
			passed := len(programs) - len(failures)
			t.Logf("%d of %d programs pass", passed, len(programs))
			if *allOfSuite && passed < way.least {
				t.Errorf("%d of %d programs pass, want at least %d", passed, len(programs), way.least)
			}
		})
	}
}

// runSuite runs programs side by side and returns why those that fail do.
func runSuite(t *testing.T, dir, way string, programs []string) map[string]string {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var (
		mu       sync.Mutex
		wg       sync.WaitGroup
		failures = map[string]string{}
		queue    = make(chan string)
	)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for p := range queue {
				start := time.Now()
				why := runOfSuite(self, dir, way, p)
				mu.Lock()
				if why != "" {
					failures[p] = why
				}
				if d := time.Since(start); d > 5*time.Second {
					t.Logf("%s took %.0f s", p, d.Seconds())
				}
				mu.Unlock()
			}
		})
	}
	for _, p := range programs {
		queue <- p
	}
	close(queue)
	wg.Wait()
	return failures
}

// runOfSuite runs one program as the test runner of Go does: it must end well, and print what its .out file holds.
func runOfSuite(self, dir, way, program string) string {
	file := filepath.Join(dir, filepath.FromSlash(program))
	ctx, cancel := context.WithTimeout(context.Background(), suiteDeadline+10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, self)
	cmd.Dir = filepath.Dir(file)
	cmd.Env = append(os.Environ(), suiteProgram+"="+file, suiteWayName+"="+way)
	cmd.WaitDelay = time.Second
	got, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Sprintf("%v: %s", err, tail(got, 600))
	}
	want, err := os.ReadFile(strings.TrimSuffix(file, ".go") + ".out")
	if err != nil {
		return "" // without one, it must only end well
	}
	if clean(got) != clean(want) {
		return fmt.Sprintf("it prints %q, want %q", tail(got, 600), tail(want, 600))
	}
	return ""
}

// clean is a program's output as it is compared.
func clean(b []byte) string { return string(bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))) }

func tail(b []byte, n int) string { return string(b[max(0, len(b)-n):]) }
