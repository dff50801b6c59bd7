package programs

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/gorandom"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

const programLimit = 20 * time.Second // of a cell of a random program

// programJob is a program that a child runs.
type programJob struct {
	Mode  string
	Cells []string
}

func jobOf(p *gorandom.Program, mode string) programJob {
	if strings.HasSuffix(mode, "whole") {
		return programJob{mode, []string{p.Main()}}
	}
	return programJob{mode, p.Cells()}
}

// ended begins the output of a program that has ended the session's process, or that was ended with it.
const ended = "the process ended: "

const programJobs = "ARRAYREPL_PROGRAM_JOBS"

// runPrograms runs programs in sessions of children, which may crash or hang: as many children at a time as there are
// processors.
func runPrograms(t *testing.T, jobs []programJob) []string {
	t.Helper()
	outputs := make([]string, len(jobs))
	parts := min(runtime.GOMAXPROCS(0), len(jobs))
	var wg sync.WaitGroup
	for i := range parts {
		from, to := i*len(jobs)/parts, (i+1)*len(jobs)/parts
		dir := t.TempDir()
		wg.Go(func() {
			for from < to {
				done, err := runProgramChild(dir, jobs[from:to])
				from += copy(outputs[from:to], done)
				if from < to {
					outputs[from] = ended + err.Error()
					from++
				}
			}
		})
	}
	wg.Wait()
	return outputs
}

// runProgramChild returns the outputs of the first programs, and why the child has not run the one after them.
func runProgramChild(dir string, jobs []programJob) (outputs []string, err error) {
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	text, err := json.Marshal(jobs)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(in, text, 0o644); err != nil {
		return nil, err
	}
	if err := os.WriteFile(out, nil, 0o644); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "-test.run", "^TestProgramsChild$", "-test.timeout", "20m")
	cmd.Env = append(os.Environ(), programJobs+"="+dir)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err = runWatched(cmd, out)
	f, e := os.Open(out)
	if e != nil {
		return nil, e
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<26)
	for sc.Scan() {
		var s []byte // which need not be UTF-8
		if json.Unmarshal(sc.Bytes(), &s) == nil {
			outputs = append(outputs, string(s))
		}
	}
	return outputs, fmt.Errorf("%v: %.4000s", err, said.String())
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
			s, err := interp.New(interp.Options{Tier: mode})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			r := judge.Record(t, s)
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
