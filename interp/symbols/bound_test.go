package symbols_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
	cells "github.com/arrayrepl/arrayrepl/interp/kernels"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
)

// counter counts how often functions of cells are bound.
type counter struct {
	cells.Functions
	n int
}

func (c *counter) Bind(f *interp.Function, value any) any {
	c.n++
	return c.Functions.Bind(f, value)
}

// A function of a cell is bound once, however often it is called and by whichever cell, until what it calls is declared
// again: then it is the new one's.
func TestFunctionsAreBoundOnce(t *testing.T) {
	symbols.Register()
	c := &counter{}
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Arrays: symbols.Arrays(), Functions: c})
	require.NoError(t, err)
	defer s.Close()
	cell := 0
	run := func(src string, binds int) {
		t.Helper()
		cell++
		before := c.n
		_, err := s.Run(context.Background(), cell, src)
		require.NoError(t, err, src)
		require.Equal(t, binds, c.n-before, src)
	}
	run("func less(x float32) float32 { return x - 1 }\nfunc f(x float32) float32 { return 2 * less(x) }\nfunc g[T int32 | int64](x T) T { return x * 3 }\nvar out string", 0)
	run("for range 5 { out = np.Map(f, []float32{1, 2}).String() }\nif out != \"[0. 2.]\" { panic(out) }", 1)
	run("out = np.Map(f, []float32{3}).String()\nif out != \"[4.]\" { panic(out) }", 0)
	run("out = brook.Map(f, []float32{3}).String()\nif out != \"[4.]\" { panic(out) }", 0)
	run("func less(x float32) float32 { return x - 2 }\nout = np.Map(f, []float32{3}).String()\nif out != \"[2.]\" { panic(out) }", 1)
	run("func f(x float32) float32 { return less(x) }\nout = np.Map(f, []float32{3}).String()\nif out != \"[1.]\" { panic(out) }", 1)
	run("for range 3 { out = np.Map(g[int32], []int32{3}).String() + np.Map(g[int64], []int64{4}).String() }\nif out != \"[9][12]\" { panic(out) }", 2)
	run("for range 3 { out = np.Map(func(x float32) float32 { return x + 1 }, []float32{3}).String() }\nif out != \"[4.]\" { panic(out) }", 1)
	run("h := func(x float32) float32 { return x + 3 }\nfor range 3 { out = np.Map(h, []float32{3}).String() }\nif out != \"[6.]\" { panic(out) }", 1)
	run("h = func(x float32) float32 { return x + 4 }\nh(1);", 0)
	run("type number float32\nfunc (n number) half() number { return n / 2 }\nfunc k(x float32) float32 { return float32(number(x).half()) }\nout = np.Map(k, []float32{8}).String()\nif out != \"[4.]\" { panic(out) }", 1)
	run("func (n number) half() number { return n / 4 }\nout = np.Map(k, []float32{8}).String()\nif out != \"[2.]\" { panic(out) }", 1)
}
