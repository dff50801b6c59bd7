package ixgo_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/tier"
)

// TestTierTable walks over all kinds of types: each instruction is refused by the tier's table for a type, or a
// function with it is lowered and prints what it prints without the tier and in compiled Go. All that the table lists
// is met. A short test leaves it to make test-engine, which takes the longer walk.
func TestTierTable(t *testing.T) {
	if testsize.Short() && !*walkAll {
		t.Skip("make test-engine walks over more types")
	}
	judges.Command(t, "go")
	decls, calls := walkCode(t)
	file := filepath.Join(t.TempDir(), "main.go")
	program := "package main\nimport (\"fmt\"; \"reflect\"; \"unsafe\")\nvar _ unsafe.Pointer\n" + walkPrelude + decls + "func main() {\n" + calls + "}\n"
	require.NoError(t, os.WriteFile(file, []byte(program), 0o644))
	want := strings.Split(judge.Run(t, filepath.Dir(file), file), "\n")
	for _, mode := range []string{engine.TierForce, engine.TierOff} {
		e := ixgo.New().(*ixgo.Engine)
		s, err := interp.New(interp.Options{Engine: e, Tier: mode})
		require.NoError(t, err)
		t.Cleanup(func() { s.Close() })
		r := judge.Record(t, s)
		require.Empty(t, r.Run(1, walkPrelude+decls))
		if mode == engine.TierForce {
			checkTable(t, e)
		}
		got := strings.Split(r.Run(2, calls), "\n")
		for i := range max(len(got), len(want)) {
			if g, w := judge.LineOf(got, i), judge.LineOf(want, i); g != w {
				name, _, _ := strings.Cut(w, " ")
				t.Errorf("tier %s: a cell prints\n%s\nand compiled Go\n%s\n%s", mode, g, w, walkText(decls, name))
			}
		}
	}
}

// walkText is the line that declares a function of the walk.
func walkText(decls, name string) string {
	_, text, _ := strings.Cut(decls, "func "+name+"(")
	text, _, _ = strings.Cut(text, "\n")
	return "func " + name + "(" + text
}

// checkTable compares the functions of the last program with the tier's table.
func checkTable(t *testing.T, e *ixgo.Engine) {
	type entry struct {
		row    string
		column int
		kind   tier.Kind
	}
	met := map[entry]bool{}
	lowered, refused := 0, 0
	e.TierFunctions(func(fn *ssa.Function, has bool, refusal func() string) {
		if fn.Pkg == nil || !has {
			return
		}
		if tier.Why(fn).What == "" {
			lowered++
			if why := refusal(); why != "" && !strings.HasSuffix(why, "not known here") {
				t.Errorf("%s has nothing that the table refuses, but the lowering refuses it: %s", fn, why)
			}
		} else {
			refused++
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				name, parts := tier.Parts(in, nil)
				for _, p := range parts {
					met[entry{name, p.Column, tier.KindOf(p.Type)}] = true
				}
			}
		}
	})
	for _, r := range tier.Table {
		for i, c := range r.Columns {
			for _, k := range c.Kinds.All() {
				assert.True(t, met[entry{r.Name, i, k}], "no function has the instruction %s with %v as its type %d", r.Name, k, i)
			}
		}
	}
	t.Logf("%d functions are lowered, %d refused", lowered, refused)
}
