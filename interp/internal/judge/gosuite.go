//go:build unix

package judge

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// Suite are Go's own tests: every program under $GOROOT/test, and in its folders chan, interface, ken and typeparam,
// that begins with "// run". Each runs in a process of its own, the test's executable, as some of them exit, take much
// memory or hang.
type Suite struct {
	Dir      string   // $GOROOT/test
	Programs []string // paths below Dir: 349 in Go 1.26
}

// Environment of a child: the file to run, and how.
const (
	suiteProgram = "ARRAYREPL_SUITE_PROGRAM"
	suiteWay     = "ARRAYREPL_SUITE_WAY"
)

// whichOfSuite is the flag -gosuite.
var whichOfSuite = flag.String("gosuite", "", "which programs of $GOROOT/test run: all; turn, a third, of which the next commit runs another; or, by default, some")

// AllOfSuite reports whether all programs of the suite run.
func AllOfSuite() bool { return *whichOfSuite == "all" }

// Main is the TestMain of a package that runs the suite: in a child, run gets the program's text and how to run it, and
// returns an exit code; memory is the address space that a child may take, in bytes.
func Main(m *testing.M, memory uint64, run func(program, way string) int) {
	file := os.Getenv(suiteProgram)
	if file == "" {
		// What the sessions of so many tests share stays, and going through it took a third of the processor time.
		debug.SetGCPercent(400)
		os.Exit(m.Run())
	}
	limit := syscall.Rlimit{Cur: memory, Max: memory}
	_ = syscall.Setrlimit(syscall.RLIMIT_AS, &limit) // a program that takes more fails alone
	src, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	os.Exit(run(string(src), os.Getenv(suiteWay)))
}

// FindSuite finds the programs: all of them, as [Suite.Part] then takes a part. The test is skipped where this Go has
// no test directory.
func FindSuite(t *testing.T) Suite {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		judges.Missing(t, "no go command, and so no test programs of Go: %v", err)
	}
	s := Suite{Dir: filepath.Join(strings.TrimSpace(string(root)), "test")}
	if _, err := os.Stat(s.Dir); err != nil {
		judges.Missing(t, "this Go has no test directory (%s): its programs cannot be run", s.Dir)
	}
	for _, d := range []string{".", "chan", "interface", "ken", "typeparam"} {
		files, err := filepath.Glob(filepath.Join(s.Dir, d, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if slices.Contains(strings.Split(string(src), "\n"), "// run") {
				name, _ := filepath.Rel(s.Dir, f)
				s.Programs = append(s.Programs, filepath.ToSlash(name))
			}
		}
	}
	if len(s.Programs) < 340 {
		t.Fatalf("%d programs in %s, want 349 as in Go 1.26", len(s.Programs), s.Dir)
	}
	return s
}

// suiteLongest are the programs that take longest: the one computes, the other waits.
var suiteLongest = []string{"divmod.go", "typeparam/chans.go"}

// Without is the suite without a program.
func (s Suite) Without(program string) Suite {
	s.Programs = slices.DeleteFunc(slices.Clone(s.Programs), func(p string) bool { return p == program })
	return s
}

// How many programs there are to one that runs: by default, and when tests are short. The slowest are not among those.
const (
	suiteSome  = 3
	suiteShort = 12
)

// Part is the part of the suite that the flag -gosuite asks for. Parts of ways that follow each other are disjoint in a
// turn, so that all together try as many programs as they can.
func (s Suite) Part(t *testing.T, way int) Suite {
	t.Helper()
	first, step := 1, suiteSome
	switch *whichOfSuite {
	case "all":
		return s
	case "turn":
		step = testsize.Turns
		first = (way + testsize.Turn()) % step
	case "":
		if testsize.Short() {
			step = suiteShort
		}
	default:
		t.Fatalf("-gosuite %q: it must be all or turn", *whichOfSuite)
	}
	var some []string
	for i := first; i < len(s.Programs); i += step {
		some = append(some, s.Programs[i])
	}
	s.Programs = some
	return s
}

// Run runs the programs, as many side by side as there are processors, and returns why those that fail do. A program
// that takes longer than deadline fails.
func (s Suite) Run(t *testing.T, way string, deadline time.Duration) map[string]string {
	t.Helper()
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
				why := s.run(self, way, p, deadline)
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
	rest := s
	for _, p := range suiteLongest { // they begin first, so that the others run beside them
		if slices.Contains(s.Programs, p) {
			queue <- p
			rest = rest.Without(p)
		}
	}
	for _, p := range rest.Programs {
		queue <- p
	}
	close(queue)
	wg.Wait()
	return failures
}

// run runs one program as the test runner of Go does: it must end well, and print what its .out file holds.
func (s Suite) run(self, way, program string, deadline time.Duration) string {
	file := filepath.Join(s.Dir, filepath.FromSlash(program))
	ctx, cancel := context.WithTimeout(context.Background(), deadline+10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, self)
	cmd.Dir = filepath.Dir(file)
	cmd.Env = append(os.Environ(), suiteProgram+"="+file, suiteWay+"="+way)
	cmd.WaitDelay = time.Second
	got, err := cmd.CombinedOutput()
	if err != nil {
		text, _, _ := bytes.Cut(got, []byte("\n\ngoroutine "))
		return fmt.Sprintf("%v: %s", err, tail(text, 600))
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
