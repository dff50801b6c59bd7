package gokernels_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/kernels"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/interp/yaegi"
)

// TestHeldFunctions: random sessions in which a variable is declared with kernels, assigned to, launched, launched by
// functions of other cells, in cells that fail, too. A launch runs what the variable holds as Go has it, or says that
// the source is not known: only where it was assigned to, or where a cell failed that would have declared it.
func TestHeldFunctions(t *testing.T) {
	useDevices(t)
	const unknown = "whose source is not known any more"
	for _, engine := range []func() interp.Engine{ixgo.New, func() interp.Engine { return yaegi.New() }} {
		for seed := range testsize.Seeds("interp/internal/gokernels.TestHeldFunctions") {
			s, err := interp.New(interp.Options{Engine: engine(), Packages: symbols.Packages(), Arrays: symbols.Arrays(), Functions: kernels.Functions{}})
			require.NoError(t, err)
			rec := judge.Record(t, s)
			n, session := 0, &strings.Builder{}
			run := func(src string) string {
				n++
				out := rec.Run(n, src)
				fmt.Fprintf(session, "%s\n\t%s\n", src, out)
				return out
			}
			run(`np.Use("host"); x := []float32{0}`)
			r := rand.New(rand.NewPCG(seed, 1))
			add := func() (by int, lit string) {
				by = 1 + r.IntN(9)
				return by, fmt.Sprintf("func(x []float32) { x[gpu.GlobalID()] += %d }", by)
			}
			by, lit := add()
			sum, known := 0, true
			run("k := " + lit)
			run("func run() { gpu.Launch(k, 1, 1, x) }")
			for range 12 {
				to, lit := add()
				launched, src := false, ""
				switch r.IntN(9) {
				case 0:
					src = "k := " + lit
					by, known = to, true
				case 1:
					src = "k = " + lit
					by, known = to, false
				case 2:
					src = "gpu.Launch(k, 1, 1, x);"
					launched = true
				case 3:
					src = "run()"
					launched = true
				case 4: // the declaration is not reached
					src = `panic("no"); k := ` + lit
					known = false
				case 5: // and here it is
					src = "k := " + lit + `; panic("yes")`
					by, known = to, true
				case 6:
					src = "k := " + lit + "\ngpu.Launch(k, 1, 1, x);"
					by, known, launched = to, true, true
				case 7:
					src = "func run() { gpu.Launch((k), 1, 1, x) }\nrun()"
					launched = true
				case 8:
					src = "func local() { k := " + lit + "; gpu.Launch(k, 1, 1, x) }\nlocal()"
					sum += to
				}
				out := run(src)
				if launched && strings.Contains(out, unknown) {
					require.False(t, known, "seed %d\n%s", seed, session)
					continue
				}
				if launched {
					sum += by
				}
				require.Equal(t, fmt.Sprintf("%d\n", sum), run("fmt.Println(x[0])"), "%s, seed %d\n%s", engine().Name(), seed, session)
			}
			s.Close()
		}
	}
}
