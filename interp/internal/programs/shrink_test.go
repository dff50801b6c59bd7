package programs

import (
	"go/types"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/interp/internal/gorandom"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
)

// shrinkProgram makes a program small that differs, and shows it as a transcript.
func shrinkProgram(t *testing.T, p *gorandom.Program, mode, output string) {
	engine := ixgo.New()
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
