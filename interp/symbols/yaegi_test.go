package symbols_test

import (
	"context"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/interp/yaegi"
)

// TestSecondEngine uses the project's packages on engine yaegi: every function and variable, and a cell's own type as
// what compiled code asks for.
func TestSecondEngine(t *testing.T) {
	testsize.InTurn(t, 2)
	symbols.Register()
	engine := yaegi.New()
	s, err := interp.New(interp.Options{Engine: engine, Packages: symbols.Packages()})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, p := range symbols.Packages() {
		pkg, err := engine.Import(p.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range pkg.Scope().Names() {
			obj := pkg.Scope().Lookup(name)
			if !token.IsExported(name) || generic(obj) {
				continue
			}
			src := "_ = " + p.Name + "." + name
			if _, isType := obj.(*types.TypeName); isType {
				src = "var _ " + p.Name + "." + name
			}
			if _, err := s.Run(context.Background(), 1, src); err != nil {
				t.Errorf("%s: %v", src, err)
			}
			n++
		}
	}
	if n < 500 {
		t.Errorf("%d names, want at least 500", n)
	}
	b := run(t, s, "type card struct{ n int }\nfunc (c card) MIMEBundle() display.Bundle { return display.Text(fmt.Sprint(`card `, c.n)) }\ncard{3}")
	if b.Text() != "card 3" {
		t.Errorf("a cell's own Bundler shows as %v", b.Data)
	}
	// WithPicker takes what has a name, and asks for the rest.
	b = run(t, s, "type mine struct{}\nfunc (mine) Name() string { return `mine` }\nfunc (mine) Pick(now int64, c []simgpu.Cand, e *simgpu.Env) int { return 0 }\n"+
		"simgpu.Custom(`fermivt`, simgpu.WithPicker(mine{}))")
	if !strings.Contains(b.Text(), "sim:fermivt-") {
		t.Errorf("a machine with a cell's own Picker is %q", b.Text())
	}
}
