package corpora

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
)

// job is what a child process does: the tests of one package in one session.
type job struct {
	Package corpusPackage
	Dir     string          // of the copy
	Seed    uint64          // of the order
	Done    map[string]bool // tests that are not to be run
}

// jobVariable holds a job, for the child.
const jobVariable = "CORPORA_JOB"

// line begins the lines by which the child says what it does.
const line = "corpora: "

// runJob is the child. It says which test it begins, and how it ended.
func runJob(text string) int {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return fail(err)
	}
	if err := os.Chdir(j.Dir); err != nil { // as go test does
		return fail(err)
	}
	s, err := interp.New(interp.Options{Dir: j.Dir})
	if err != nil {
		return fail(err)
	}
	type test struct{ name, cell string }
	var tests []test
	cell := 0
	run := func(src string) (string, error) {
		cell++
		b, err := s.Run(context.Background(), cell, src)
		var failed *interp.Error
		if errors.As(err, &failed) {
			err = errors.New(strings.Join(failed.Lines(false), "\n"))
		}
		return b.Text(), err
	}
	packages := map[string]string{"corpusA": j.Package.ImportPath}
	if len(j.Package.XTestGoFiles) > 0 {
		packages["corpusB"] = j.Package.externalPath()
	}
	for name, importPath := range packages {
		if _, err := run(fmt.Sprintf("import %s %q", name, importPath)); err != nil {
			return fail(err)
		}
		for list, runner := range map[string]string{"CorpusTests": "RunTests", "CorpusExamples": "RunExamples"} {
			names, err := run(fmt.Sprintf("names := []string{}\nfor _, t := range %s.%s { names = append(names, t.Name) }\nstrings.Join(names, \" \")", name, list))
			if err != nil {
				return fail(err)
			}
			for i, n := range strings.Fields(names) {
				kind := strings.Replace(runner, "Run", "Internal", 1)
				kind = strings.TrimSuffix(kind, "s")
				tests = append(tests, test{n, fmt.Sprintf("testing.%s(func(string, string) (bool, error) { return true, nil }, []testing.%s{%s.%s[%d]})", runner, kind, name, list, i)})
			}
		}
	}
	// In one order for each seed, whatever the order of the maps was.
	byName := map[string]test{}
	var names []string
	for _, t := range tests {
		byName[t.name] = t
		names = append(names, t.name)
	}
	shuffle(names, j.Seed)
	fmt.Printf("\n%stests %d\n", line, len(names))
	for _, name := range names {
		if j.Done[name] {
			continue
		}
		fmt.Printf("\n%sbegin %s\n", line, name)
		ok, err := run(byName[name].cell)
		if err != nil {
			fmt.Printf("\n%v\n", err)
			ok = "false"
		}
		fmt.Printf("\n%send %s %s\n", line, name, ok)
	}
	return 0
}

func fail(err error) int {
	fmt.Printf("\n%v\n%sbroken\n", err, line)
	return 1
}

func shuffle(names []string, seed uint64) {
	for i := range names { // by insertion: a few hundred at most
		for k := i; k > 0 && names[k] < names[k-1]; k-- {
			names[k], names[k-1] = names[k-1], names[k]
		}
	}
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
}

// outcome is what came of a package in sessions.
type outcome struct {
	tests    int
	results  map[string]string // "pass", "fail", "late"
	said     map[string]string // what failing tests printed
	broken   string            // why nothing could be run
	finished bool
}

// inSession runs the tests of a package in child processes, until the time is over. A test that ends its process has
// failed, and the next process goes on behind it.
func inSession(t *testing.T, j job, budget, perTest time.Duration) outcome {
	out := outcome{results: map[string]string{}, said: map[string]string{}}
	j.Done = map[string]bool{}
	end := time.Now().Add(budget)
	for time.Now().Before(end) {
		began, more := out.child(t, j, end, perTest)
		if !more {
			break
		}
		if began == "" {
			out.broken = "the process ended before the first test: " + out.said[""]
			break
		}
		j.Done[began] = true
		for name := range out.results {
			j.Done[name] = true
		}
	}
	return out
}

// child runs one process. It returns the test that was running when the process ended, and whether another process
// should go on.
func (o *outcome) child(t *testing.T, j job, end time.Time, perTest time.Duration) (began string, more bool) {
	text, err := json.Marshal(j)
	require.NoError(t, err)
	ctx, cancel := context.WithDeadline(t.Context(), end)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^$", "-test.paniconexit0=false")
	cmd.Env = append(os.Environ(), jobVariable+"="+string(text), "GOMEMLIMIT=3GiB")
	pipe, w, err := os.Pipe()
	require.NoError(t, err)
	cmd.Stdout, cmd.Stderr = w, w
	require.NoError(t, cmd.Start())
	w.Close()
	late := false
	watch := time.AfterFunc(time.Hour, func() {})
	defer func() { watch.Stop() }()
	var said strings.Builder
	in := bufio.NewReader(pipe)
	for {
		s, err := in.ReadString('\n')
		if err != nil {
			break
		}
		rest, ok := strings.CutPrefix(s, line)
		if !ok {
			if said.Len() < 4000 {
				said.WriteString(s)
			}
			continue
		}
		f := strings.Fields(rest)
		switch {
		case f[0] == "tests":
			fmt.Sscan(f[1], &o.tests)
		case f[0] == "begin":
			began = f[1]
			said.Reset()
			watch.Stop()
			watch = time.AfterFunc(perTest, func() {
				late = true
				cmd.Process.Kill()
			})
		case f[0] == "end" && len(f) == 3:
			watch.Stop()
			began = ""
			if o.results[f[1]] = "pass"; f[2] != "true" {
				o.results[f[1]], o.said[f[1]] = "fail", said.String()
			}
		case f[0] == "broken":
			o.broken = strings.TrimSpace(said.String())
		}
	}
	err = cmd.Wait()
	switch {
	case o.broken != "" || err == nil:
		o.finished = err == nil
		return began, false
	case ctx.Err() != nil: // the budget is used up: what was running is not judged
		return began, false
	case began == "":
		o.said[""] = said.String()
		return "", true
	}
	if o.results[began], o.said[began] = "fail", said.String(); late {
		o.results[began], o.said[began] = "late", fmt.Sprintf("it ran longer than %v", perTest)
	}
	return began, true
}
