package interp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/interp/internal/gorandom"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

var (
	programCount  = flag.Int("programs", 100, "how many random programs TestPrograms runs")
	programSeed   = flag.Uint64("programseed", 1, "the seed of the first random program")
	programKnown  = flag.Bool("programknown", false, "run the random programs too of which it is known that they differ")
	programShrink = flag.Int("programshrink", 0, "how many random programs that differ are made small")
	programMode   = flag.String("programmode", "", "how random programs run: one of the names of programModes, or all; one for each, as its seed says, by default")
)

// programModes are the ways that a session runs a random program.
var programModes = []string{"on cells", "force cells", "off cells", "force whole", "on whole", "off whole"}

// programDifferences are the seeds among the first 300 whose programs a session does not run as compiled Go does, and what
// of Go it is. They are faults to mend; -programknown shows them.
var programDifferences = map[uint64]string{
	2: textsOfPointers, 163: textsOfPointers,
	67: unnamedStructs, 264: unnamedStructs,
	85: recursiveStructs, 108: recursiveStructs, 110: recursiveStructs, 211: recursiveStructs, 226: recursiveStructs,
	98:  "the program goes through a map in the order of its keys' texts, which are equal",
	158: "a map that an earlier program changes while it is printed",
}

const (
	textsOfPointers  = "the program prints addresses, which differ from run to run"
	unnamedStructs   = "reflect stores a value of an unnamed struct type with embedded fields that another cell has made"
	recursiveStructs = "an unnamed struct type with an embedded field whose methods name that struct type: it is refused"
)

// programJob is a program that a child runs.
type programJob struct {
	Mode  string
	Cells []string
}

const (
	programLimit = 10 * time.Second // of a cell of a random program
	programBatch = 50               // of one build, and of one child
)

// TestPrograms runs random programs in sessions and through the compiler.
func TestPrograms(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command: nothing to compare with")
	}
	first := *programSeed
	for from := first; from < first+uint64(*programCount); from += programBatch {
		n := int(min(programBatch, first+uint64(*programCount)-from))
		comparePrograms(t, from, n)
	}
}

func comparePrograms(t *testing.T, first uint64, n int) {
	programs := make([]*gorandom.Program, n)
	for i := range programs {
		programs[i] = gorandom.New(first + uint64(i))
	}
	start := time.Now()
	want := judge.Compiled(t, n, func(i int, pkg string) string { return programs[i].Package(pkg, "Run") })
	t.Logf("compiled in %v", time.Since(start))
	start = time.Now()
	var jobs []programJob
	var of []int
	for i, p := range programs {
		if want[i].Err != nil {
			t.Errorf("seed %d: compiled, %v", p.Seed, want[i].Err)
		}
		if why, known := programDifferences[p.Seed]; known && !*programKnown {
			t.Logf("seed %d is left out: %s", p.Seed, why)
			continue
		}
		for k, mode := range programModes {
			if mode == *programMode || *programMode == "all" || *programMode == "" && p.Seed%uint64(len(programModes)) == uint64(k) {
				jobs, of = append(jobs, jobOf(p, mode)), append(of, i)
			}
		}
	}
	got := runPrograms(t, jobs)
	t.Logf("ran in %v", time.Since(start))
	for k, g := range got {
		p := programs[of[k]]
		if w := want[of[k]]; w.Err == nil && strings.TrimSpace(g) != strings.TrimSpace(w.Text) {
			t.Errorf("seed %d, %s: %s", p.Seed, jobs[k].Mode, firstDifference(g, w.Text))
			if strings.HasPrefix(g, ended) {
				t.Logf("%s\nof\n%s", g, strings.Join(jobs[k].Cells, "----\n"))
			}
			if *programShrink > 0 {
				*programShrink--
				shrinkProgram(t, p, jobs[k].Mode, g)
			}
		}
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if a, b := judge.LineOf(g, i), judge.LineOf(w, i); a != b {
			return fmt.Sprintf("line %d is %q, compiled Go prints %q", i+1, a, b)
		}
	}
	return ""
}

// shrinkProgram makes a program small that differs, and shows it as a transcript.
func shrinkProgram(t *testing.T, p *gorandom.Program, mode, output string) {
	engine := NewIxgo()
	small := gorandom.Shrink(p, importerFunc(engine.Import), func(list []*gorandom.Program) []bool {
		want := judge.Compiled(t, len(list), func(i int, pkg string) string { return list[i].Package(pkg, "Run") })
		var jobs []programJob
		for _, p := range list {
			jobs = append(jobs, jobOf(p, mode))
		}
		out := make([]bool, len(list))
		for i, got := range runPrograms(t, jobs) {
			out[i] = want[i].Err == nil && strings.TrimSpace(got) != strings.TrimSpace(want[i].Text) && kindOfDifference(got) == kindOfDifference(output)
		}
		return out
	})
	t.Logf("seed %d, %s, made small:\n%s", p.Seed, mode, strings.Join(small.Cells(), "----\n"))
}

// kindOfDifference is what kind of difference an output shows: an error is not made into a wrong value.
func kindOfDifference(output string) string {
	for _, s := range []string{"EngineError: cannot compile", "EngineError: engine ixgo cannot compile", "EngineError", "the process ended"} {
		if strings.Contains(output, s) {
			return s
		}
	}
	return ""
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

func jobOf(p *gorandom.Program, mode string) programJob {
	if strings.HasSuffix(mode, "whole") {
		return programJob{mode, []string{p.Main()}}
	}
	return programJob{mode, p.Cells()}
}

// ended begins the output of a program that has ended the session's process, or that was ended with it.
const ended = "the process ended: "

const programJobs = "ARRAYREPL_PROGRAM_JOBS"

// runPrograms runs programs in sessions of children, which may crash or hang.
func runPrograms(t *testing.T, jobs []programJob) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var outputs []string
	for len(outputs) < len(jobs) {
		dir := t.TempDir()
		in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
		text, err := json.Marshal(jobs[len(outputs):])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(in, text, 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(self, "-test.run", "^TestProgramsChild$", "-test.timeout", "20m")
		cmd.Env = append(os.Environ(), programJobs+"="+dir)
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		err = runWatched(cmd, out)
		if f, e := os.Open(out); e == nil {
			sc := bufio.NewScanner(f)
			sc.Buffer(nil, 1<<26)
			for sc.Scan() {
				var s []byte // which need not be UTF-8
				if json.Unmarshal(sc.Bytes(), &s) == nil {
					outputs = append(outputs, string(s))
				}
			}
			f.Close()
		}
		if len(outputs) < len(jobs) {
			text := said.String()
			outputs = append(outputs, fmt.Sprintf(ended+"%v: %s", err, text[:min(len(text), 4000)]))
		}
	}
	return outputs
}

// runWatched runs a child and ends it when it writes nothing to a file for too long: its stacks are in what it says.
func runWatched(cmd *exec.Cmd, file string) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	size, since := int64(0), time.Now()
	for {
		select {
		case err := <-ended:
			return err
		case <-time.After(200 * time.Millisecond):
		}
		if info, err := os.Stat(file); err == nil && info.Size() != size {
			size, since = info.Size(), time.Now()
		}
		if time.Since(since) > 2*programLimit {
			if cmd.Process.Signal(syscall.SIGQUIT) != nil || time.Since(since) > 3*programLimit {
				_ = cmd.Process.Kill()
			}
		}
	}
}

// TestProgramsChild is the child of TestPrograms.
func TestProgramsChild(t *testing.T) {
	dir := os.Getenv(programJobs)
	if dir == "" {
		t.Skip("a part of TestPrograms")
	}
	text, err := os.ReadFile(filepath.Join(dir, "in"))
	if err != nil {
		t.Fatal(err)
	}
	var jobs []programJob
	if err := json.Unmarshal(text, &jobs); err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	for _, job := range jobs {
		t.Run(job.Mode, func(t *testing.T) {
			mode, _, _ := strings.Cut(job.Mode, " ")
			r := newRecorder(t, Options{Tier: mode})
			r.Limit = programLimit
			var got strings.Builder
			for i, c := range job.Cells {
				got.WriteString(r.Run(i+1, c))
			}
			line, _ := json.Marshal([]byte(got.String()))
			if _, err := out.Write(append(line, '\n')); err != nil {
				t.Fatal(err)
			}
		})
	}
}
