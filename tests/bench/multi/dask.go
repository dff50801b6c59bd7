package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/tests/bench/peer"
)

// besideDask is a program that daskpeer.py has too: start makes its arrays of size n and returns one turn of it, which
// returns some numbers of the result, the same as those of daskpeer.py.
type besideDask struct {
	name, what string
	n          int
	least      float64 // times that lazy arrays are to be faster
	cuts       []string
	start      func(n int) (turn func(), numbers func() []float64)
}

var daskPrograms = []besideDask{
	{"forty", "40 operations on 3 numbers", 3, 100, []string{"auto"}, forty},
	{"stencil", "5 steps of a stencil of 10^7 elements", 3162, 5, []string{"auto", "halves", "quarters"}, daskStencil},
	{"jacobi", "20 steps of Jacobi's method, 10^7 elements", 3162, 5, []string{"auto", "halves", "quarters"}, daskJacobi},
}

func forty(n int) (func(), func() []float64) {
	x := made(np.Arange(1, float64(n+1)))
	var result []float64
	return func() {
		y := x
		for range 20 {
			y = y.Mul(1.5).Add(x)
		}
		result = y.Float64s()
	}, func() []float64 { return result[:3] }
}

func daskJacobi(n int) (func(), func() []float64) {
	r := made(np.Arange(float64(n*n)).Mod(11).Div(float64(11*n)).Reshape(n, n))
	b := made(np.Ones(n))
	d := made(b.Mul(3))
	var x *np.Array
	return func() {
			x = b.Mul(0.5)
			for range 20 {
				x = b.Sub(np.Dot(r, x)).Div(d)
			}
			np.Eval(x)
		}, func() []float64 {
			return []float64{x.Sum().Float64(), x.At(0).Float64(), x.At(n - 1).Float64()}
		}
}

// daskStencil begins each turn with the same grid, as daskpeer.py does, and writes it through a view.
func daskStencil(n int) (func(), func() []float64) {
	first := made(np.Arange(float64((n+2)*(n+2))).Mod(1000).Reshape(n+2, n+2))
	var g *np.Array
	return func() {
			g = first.Copy()
			for range 5 {
				c := g.At(arrays.S(1, -1), arrays.S(1, -1))
				north, west := g.At(arrays.S(0, -2), arrays.S(1, -1)), g.At(arrays.S(1, -1), arrays.S(0, -2))
				south, east := g.At(arrays.S(2, n+2), arrays.S(1, -1)), g.At(arrays.S(1, -1), arrays.S(2, n+2))
				c.Set(c.Add(north).Add(east).Add(west).Add(south).Mul(0.2))
			}
			np.Eval(g)
		}, func() []float64 {
			return []float64{g.Sum().Float64(), g.At(1, 1).Float64(), g.At(n, n).Float64()}
		}
}

// made evaluates x before the clock runs.
func made(x *np.Array) *np.Array {
	np.Eval(x)
	return x
}

// dask prints array programs on this machine's processors beside the same with Dask array and two worker processes,
// turn by turn, or some turns in a row where they are short: medians, the ratio to the fastest of the ways in which
// Dask's arrays are cut, and whether it is as large as is wanted.
func dask(python string, only []string) error {
	if _, err := os.Stat(python); err != nil {
		fmt.Printf("skipped: Dask, as there is no Python %q; make bench-multi sets one up\n", python)
		return nil
	}
	p, err := peer.StartScript(python, "tests/bench/multi/daskpeer.py")
	if err != nil {
		fmt.Printf("skipped: Dask: %v; tests/bench/multi/requirements.txt has what it needs\n", err)
		return nil
	}
	defer p.Close()
	fmt.Println(p.Version)
	np.Use("host")
	for _, c := range daskPrograms {
		if len(only) > 0 && !wanted(only, c.name) {
			continue
		}
		turn, numbers := c.start(c.n)
		times := map[string][]time.Duration{}
		inARow := 1
		if c.n < 1000 { // what the other has left in the processors' caches would be most of a short turn's time
			inARow = 15
		}
		for i := range 4 * inARow {
			counts := i/inARow > 0 // the first turns do not
			begin := time.Now()
			turn()
			if own := time.Since(begin); counts {
				times[""] = append(times[""], own)
			}
			if (i+1)%inARow > 0 {
				continue
			}
			for k := range len(c.cuts) * inARow {
				cut := c.cuts[k/inARow]
				took, theirs, err := daskTurn(p, c.name, cut, c.n)
				if err != nil {
					return err
				}
				if counts {
					times[cut] = append(times[cut], took)
				}
				if ours := numbers(); !close(ours, theirs) {
					return fmt.Errorf("%s: lazy arrays have %v, Dask cut by %s has %v", c.what, ours, cut, theirs)
				}
			}
		}
		best := time.Duration(math.MaxInt64)
		var ways []string
		for _, cut := range c.cuts {
			m := median(times[cut])
			best = min(best, m)
			ways = append(ways, fmt.Sprintf("%s %v", cut, round(m)))
		}
		own := median(times[""])
		ratio := float64(best) / float64(own)
		fmt.Printf("%-44s %10v, Dask %s: %.1f times faster (at least %v wanted) %s\n", c.what, round(own), strings.Join(ways, ", "), ratio, c.least,
			verdict(ratio >= c.least))
		if c.name == "stencil" {
			fmt.Printf("%-44s %s\n", "", asWritten(p))
		}
	}
	return nil
}

// asWritten says what Dask makes of the stencil as NumPy has it, with an assignment through a view.
func asWritten(p *peer.Peer) string {
	_, sums, err := daskTurn(p, "as written", "auto", 100)
	switch {
	case err != nil:
		return fmt.Sprintf("as written, Dask cannot run it: %v; it ran as a function of blocks (map_overlap)", err)
	case sums[0] == sums[1]:
		return "as written, with an assignment through a view, Dask leaves the grid as it was; it ran as a function of blocks (map_overlap)"
	}
	return "as written, Dask runs it too"
}

// daskTurn has Dask run a turn of a program.
func daskTurn(p *peer.Peer, name, cut string, n int) (time.Duration, []float64, error) {
	answer, err := p.Ask(fmt.Sprintf("%s\t%s\t%d", name, cut, n))
	if err != nil {
		return 0, nil, err
	}
	if text, failed := strings.CutPrefix(answer, "error "); failed {
		return 0, nil, fmt.Errorf("program %s of Dask: %s", name, text)
	}
	var numbers []float64
	for _, field := range strings.Fields(answer) {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return 0, nil, fmt.Errorf("program %s of Dask: %q", name, answer)
		}
		numbers = append(numbers, v)
	}
	return time.Duration(numbers[0] * 1e9), numbers[1:], nil
}

// close tells whether numbers are equal but for the rounding of sums of ten million in another order.
func close(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-11*math.Abs(y) })
}

func median(times []time.Duration) time.Duration {
	times = slices.Sorted(slices.Values(times))
	return times[len(times)/2]
}

// round leaves three figures or so.
func round(d time.Duration) time.Duration {
	for unit := time.Second; unit > 10; unit /= 10 {
		if d >= unit {
			return d.Round(unit / 100)
		}
	}
	return d
}
