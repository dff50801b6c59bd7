package operators

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/interp/yaegi"
)

// chains are cells of n operations on arrays.
var chains = map[string]func(n int) string{
	"sum":     func(n int) string { return "_ = a" + strings.Repeat(" + a", n) },
	"numbers": func(n int) string { return "_ = a" + strings.Repeat(" + 2*a - b", n/2) },
	"nested": func(n int) string {
		return strings.Repeat("_ = "+strings.Repeat("(a + ", 200)+"a"+strings.Repeat(")", 200)+"\n", n/200)
	},
	"left": func(n int) string {
		return strings.Repeat("_ = "+strings.Repeat("(", 200)+"a"+strings.Repeat(" + a)", 200)+"\n", n/200)
	},
	"statements":  func(n int) string { return strings.Repeat("_ = a + b\n", n) },
	"compound":    func(n int) string { return "c := a + b\n" + strings.Repeat("c += a\n", n) },
	"parts":       func(n int) string { return "_ = a[0:1]" + strings.Repeat(" + a[0:1]", n) },
	"slices":      func(n int) string { return "_ = a" + strings.Repeat("[0:1]", n) },
	"steps":       func(n int) string { return "_ = a" + strings.Repeat("[::1]", n) },
	"signs":       func(n int) string { return "_ = " + strings.Repeat("- ", n) + "a" },
	"comparisons": func(n int) string { return "_ = a" + strings.Repeat(" < a", n) },
	"undefined":   func(n int) string { return "_ = a" + strings.Repeat(" + nothing", n) },
	"powers":      func(n int) string { return "_ = a" + strings.Repeat(" ** 2 + a", n) },
	"assigned": func(n int) string {
		var b strings.Builder
		b.WriteString("x0 := a + b\n")
		for i := range n {
			fmt.Fprintf(&b, "x%d := x%d + a\n", i+1, i)
		}
		return b.String()
	},
}

// TestLongChainsOfOperators counts the bytes that cells allocate whose number of operations on arrays doubles: with the
// square of it they would be four times as many. The second engine writes a program as text, the inner calls into the
// outer ones, and yaegi copies all values of a function for each call that it makes of a literal: a part of what it
// takes does grow so. A short test has a third of the cells, each turn another.
func TestLongChainsOfOperators(t *testing.T) {
	symbols.Register()
	for _, e := range []struct {
		name  string
		new   func() interp.Engine
		limit float64
	}{{"ixgo", ixgo.New, 2.3}, {"yaegi", yaegi.New, 3.7}} {
		for k, name := range slices.Sorted(maps.Keys(chains)) {
			if !testsize.Part(k, 3) {
				continue
			}
			text := chains[name]
			var bytes [2]float64
			for i, n := range []int{400, 800} {
				s, err := interp.New(interp.Options{Engine: e.new(), Packages: symbols.Packages(), Arrays: symbols.Arrays()})
				require.NoError(t, err)
				_, err = s.Run(t.Context(), 1, "a, b := np.Ones(2), np.Ones(2)\n_ = a + 1")
				require.NoError(t, err)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				s.Run(t.Context(), 2, text(n))
				runtime.ReadMemStats(&after)
				bytes[i] = float64(after.TotalAlloc - before.TotalAlloc)
				s.Close()
			}
			assert.Less(t, bytes[1]/bytes[0], e.limit, "%s %s", e.name, name)
		}
	}
}
