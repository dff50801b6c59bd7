package programs

import (
	"flag"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/internal/gorandom"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

var (
	programCount  = flag.Int("programs", 0, "how many random programs TestPrograms runs; 0 for as many as its size says")
	programSeed   = flag.Uint64("programseed", 0, "the seed of the first random program; 0 takes one of the commit")
	programShrink = flag.Int("programshrink", 0, "how many random programs that differ are made small")
	programMode   = flag.String("programmode", "", "how random programs run: one of the names of programModes, or all; one for each, as its seed says, by default")
)

// programModes are the ways that a session runs a random program.
var programModes = []string{"on cells", "force cells", "off cells", "force whole", "on whole", "off whole"}

// programRefusals are texts of the errors by which a session says that it does not run a program that is right. All
// else that differs is a fault.
var programRefusals = []string{
	"in its signature, and this type has the method too: declare a type for it", // see refuseSelves of package interp
}

const programBatch = 50 // programs of one build

// TestPrograms runs random programs in sessions and through the compiler. The seeds are others in each commit, so that
// all runs together see many programs.
func TestPrograms(t *testing.T) {
	judges.Command(t, "go")
	first, n := firstProgramSeed(), *programCount
	if n == 0 {
		n = testsize.Of("interp/internal/programs.TestPrograms")
	}
	t.Logf("%d programs from seed %d on", n, first)
	var c programCounts
	for done := 0; done < n; done += programBatch {
		comparePrograms(t, first+uint64(done), min(programBatch, n-done), &c)
	}
	t.Logf("%d sessions: %d agree, %d programs are refused, %d have no one meaning", c.ran, c.agree, c.refused, c.vague)
	if c.refused > 3+n/20 || c.vague > 1+n/100 {
		t.Errorf("too many of %d programs are not compared: %d are refused, %d have no one meaning", n, c.refused, c.vague)
	}
}

type programCounts struct{ ran, agree, refused, vague int }

// firstProgramSeed is the flag's, or of the commit, or 1 where there is none. Go keeps the result of a test as long as
// nothing that it is made of changes: then the seeds stay.
func firstProgramSeed() uint64 {
	if *programSeed != 0 {
		return *programSeed
	}
	hash, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil || len(hash) < 8 {
		return 1
	}
	seed, err := strconv.ParseUint(string(hash[:8]), 16, 64)
	if err != nil {
		return 1
	}
	return seed
}

func comparePrograms(t *testing.T, first uint64, n int, c *programCounts) {
	programs := make([]*gorandom.Program, n)
	for i := range programs {
		programs[i] = gorandom.New(first + uint64(i))
	}
	start := time.Now()
	want := judge.Compiled(t, n, func(i int, pkg string) string { return programs[i].Package(pkg, "Run") })
	compiled := time.Since(start)
	start = time.Now()
	var jobs []programJob
	var of []int
	for i, p := range programs {
		if want[i].Err != nil {
			c.vague++
			t.Logf("seed %d has no one meaning: compiled, %v", p.Seed, want[i].Err)
			continue
		}
		for k, mode := range programModes {
			if mode == *programMode || *programMode == "all" || *programMode == "" && p.Seed%uint64(len(programModes)) == uint64(k) {
				jobs, of = append(jobs, jobOf(p, mode)), append(of, i)
			}
		}
	}
	got := runPrograms(t, jobs)
	t.Logf("seeds %d to %d: compiled in %v, ran in %v", first, first+uint64(n-1), compiled, time.Since(start))
	for k, g := range got {
		p, w := programs[of[k]], want[of[k]]
		c.ran++
		switch {
		case strings.TrimSpace(g) == strings.TrimSpace(w.Text):
			c.agree++
		case isRefusal(g, w.Text):
			c.refused++
			t.Logf("seed %d, %s is refused: %s", p.Seed, jobs[k].Mode, firstDifference(g, w.Text))
		case w.Varies():
			c.vague++
			t.Logf("seed %d has no one meaning: compiled, it does not print the same each time", p.Seed)
		default:
			t.Errorf("seed %d, %s: %s; again with -programs 1 -programseed %d -programmode %q",
				p.Seed, jobs[k].Mode, firstDifference(g, w.Text), p.Seed, jobs[k].Mode)
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

// isRefusal reports whether a session has printed what it should until it refused a part of the program.
func isRefusal(got, want string) bool {
	lines := strings.Split(got, "\n")
	at := slices.IndexFunc(lines, func(line string) bool {
		return slices.ContainsFunc(programRefusals, func(s string) bool { return strings.Contains(line, s) })
	})
	if at < 0 || !strings.Contains(lines[at], "EngineError: ") {
		return false
	}
	return strings.HasPrefix(strings.TrimSpace(want), strings.TrimSpace(strings.Join(lines[:at], "\n")))
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
