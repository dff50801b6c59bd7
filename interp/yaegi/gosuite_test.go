//go:build unix

package yaegi

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

	"github.com/arrayrepl/arrayrepl/interp"
)

// Go's own tests judge this engine as they judge the first (interp/gosuite_test.go): every program under $GOROOT/test, and
// in the folders named here, that begins with "// run", as a whole file, each in a process of its own.
var suiteDirs = []string{".", "chan", "interface", "ken", "typeparam"}

const (
	suiteProgram  = "ARRAYREPL_YAEGI_SUITE" // environment of a child: the file to run
	suiteDeadline = 30 * time.Second
	suitePart     = 6 // of how many programs the short test runs one
	// suiteLeast is how many of the 349 programs of Go 1.26 must pass: 294 do, and fewer on a machine so busy that some take longer
	// than the deadline. yaegi alone passes 164.
	suiteLeast = 280
)

var allOfSuite = flag.Bool("gosuite", false, "run all programs of $GOROOT/test instead of some")

func TestMain(m *testing.M) {
	if file := os.Getenv(suiteProgram); file != "" {
		os.Exit(runSuiteProgram(file))
	}
	os.Exit(m.Run())
}

// runSuiteProgram is the child.
func runSuiteProgram(file string) int {
	limit := syscall.Rlimit{Cur: 6 << 30, Max: 6 << 30}
	_ = syscall.Setrlimit(syscall.RLIMIT_AS, &limit) // a program that takes more fails alone
	src, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	s, err := interp.New(interp.Options{Engine: New()})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	ctx, cancel := context.WithTimeout(context.Background(), suiteDeadline)
	defer cancel()
	_, err = s.Run(ctx, 1, string(src))
	var e *interp.Error
	if errors.As(err, &e) && !(e.Kind == interp.Exit && strings.HasPrefix(e.Message, "os.Exit(0)")) {
		fmt.Fprintln(os.Stderr, strings.Join(e.Lines(false), "\n"))
		return 2
	}
	return 0
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
	var programs []string
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
				programs = append(programs, f)
			}
		}
	}
	if len(programs) < 340 {
		t.Fatalf("%d programs in %s, want 349 as in Go 1.26", len(programs), dir)
	}
	least := suiteLeast
	if !*allOfSuite {
		var some []string
		for i := 0; i < len(programs); i += suitePart {
			some = append(some, programs[i])
		}
		least = least * len(some) / len(programs) * 9 / 10
		programs = some
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var (
		mu     sync.Mutex
		wg     sync.WaitGroup
		failed []string
		queue  = make(chan string)
	)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for f := range queue {
				if why := runOfSuite(self, f); why != "" {
					mu.Lock()
					failed = append(failed, strings.TrimPrefix(f, dir+"/")+": "+why)
					mu.Unlock()
				}
			}
		})
	}
	for _, f := range programs {
		queue <- f
	}
	close(queue)
	wg.Wait()
	slices.Sort(failed)
	t.Logf("%d of %d programs pass; these do not:\n%s", len(programs)-len(failed), len(programs), strings.Join(failed, "\n"))
	if passed := len(programs) - len(failed); passed < least {
		t.Errorf("%d programs pass, want at least %d", passed, least)
	}
}

// runOfSuite runs one program as the test runner of Go does: it must end well, and print what its .out file holds.
func runOfSuite(self, file string) string {
	ctx, cancel := context.WithTimeout(context.Background(), suiteDeadline+10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, self)
	cmd.Dir = filepath.Dir(file)
	cmd.Env = append(os.Environ(), suiteProgram+"="+file)
	cmd.WaitDelay = time.Second
	got, err := cmd.CombinedOutput()
	if err != nil {
		text, _, _ := bytes.Cut(got, []byte("\n\ngoroutine "))
		return fmt.Sprintf("%v: %.300s", err, bytes.TrimSpace(text))
	}
	want, err := os.ReadFile(strings.TrimSuffix(file, ".go") + ".out")
	if err == nil && !bytes.Equal(got, want) { // without such a file, it must only end well
		return fmt.Sprintf("it prints %.200q, want %.200q", got, want)
	}
	return ""
}
