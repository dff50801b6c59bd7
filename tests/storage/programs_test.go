//go:build unix

package storage

import (
	"errors"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/cudabackend/fake"
	"github.com/arrayrepl/arrayrepl/internal/poison"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
	"github.com/stretchr/testify/require"
)

// program makes arrays of files, and the same of memory.
type program struct {
	t             *testing.T
	r             *rand.Rand
	rows, columns int
	kernels       bool // the elements are float64
	budget        int64
	made          [2][]*lazy.Array
	again         []func(which int) *lazy.Array // makes each anew; nil of files
	files         []*programFile
	armed         *programFile // in which something goes wrong now, or nil
	faults        map[string]int
	about         string // what was done
}

// steps are operations whose results have the shape of their operands.
var steps = map[string]func(p *program, x, y *lazy.Array, pick [3]int) *lazy.Array{
	"add":   func(p *program, x, y *lazy.Array, _ [3]int) *lazy.Array { return x.Add(y) },
	"roots": func(p *program, x, y *lazy.Array, _ [3]int) *lazy.Array { return x.Mul(y).Abs().Sqrt() },
	"where": func(p *program, x, y *lazy.Array, _ [3]int) *lazy.Array { return lazy.Where(x.Greater(y), x, y) },
	"means": func(p *program, x, y *lazy.Array, _ [3]int) *lazy.Array { return x.Sub(y.Mean(lazy.Axis(0))) },
	"sums": func(p *program, x, y *lazy.Array, _ [3]int) *lazy.Array {
		return x.Add(y.Sum(lazy.Axis(1)).Reshape(p.rows, 1))
	},
	"row": func(p *program, x, y *lazy.Array, k [3]int) *lazy.Array { return x.Mul(y.At(lazy.S(k[0], k[0]+1))) },
	"column": func(p *program, x, y *lazy.Array, k [3]int) *lazy.Array {
		return x.Sub(y.At(lazy.All, lazy.S(k[1], k[1]+1)))
	},
	"reversed": func(p *program, x, y *lazy.Array, _ [3]int) *lazy.Array {
		return x.At(lazy.S(lazy.End, lazy.End, -1)).Add(y)
	},
	"max": func(p *program, x, y *lazy.Array, _ [3]int) *lazy.Array { return x.Sub(y.Max()) },
	"mirrored": func(p *program, x, y *lazy.Array, _ [3]int) *lazy.Array {
		return x.Sub(y.At(lazy.S(lazy.End, lazy.End, -1), lazy.S(lazy.End, lazy.End, -1)))
	},
	"turned": func(p *program, x, y *lazy.Array, _ [3]int) *lazy.Array {
		return x.T().Copy().Reshape(p.rows, p.columns).Add(y)
	},
	"narrow": func(p *program, x, y *lazy.Array, _ [3]int) *lazy.Array { return x.AsType(lazy.Float32).Add(y) },
	"running": func(p *program, x, y *lazy.Array, k [3]int) *lazy.Array {
		return x.CumSum(lazy.Axis(k[2] % 2)).Sub(y)
	},
	"all running": func(p *program, x, y *lazy.Array, _ [3]int) *lazy.Array {
		return x.CumSum().Reshape(p.rows, p.columns).Sub(y)
	},
	"sorted": func(p *program, x, y *lazy.Array, k [3]int) *lazy.Array { return lazy.Sort(x, lazy.Axis(k[2]%2)) },
	"places": func(p *program, x, y *lazy.Array, k [3]int) *lazy.Array {
		return lazy.ArgSort(x, lazy.Axis(k[2]%2)).Add(y)
	},
	"all sorted": func(p *program, x, y *lazy.Array, _ [3]int) *lazy.Array {
		return lazy.Sort(x.Ravel()).Reshape(p.rows, p.columns)
	},
	"all places": func(p *program, x, y *lazy.Array, _ [3]int) *lazy.Array {
		return lazy.ArgSort(x.Ravel()).Reshape(p.rows, p.columns)
	},
	"product": func(p *program, x, y *lazy.Array, k [3]int) *lazy.Array {
		return lazy.MatMul(x, lazy.Arange(p.columns*p.columns).Mod(k[0]%7+2).Reshape(p.columns, p.columns).AsType(lazy.Float64))
	},
	"rows taken": func(p *program, x, y *lazy.Array, k [3]int) *lazy.Array {
		return lazy.Take(x, lazy.Arange(p.rows).Mul(k[0]).Mod(p.rows), lazy.Axis(0))
	},
	"elements taken": func(p *program, x, y *lazy.Array, k [3]int) *lazy.Array {
		return lazy.Take(x.Ravel(), lazy.Arange(p.rows*p.columns).Mul(k[0]*k[1]+1).Mod(p.rows*p.columns)).Reshape(p.rows, p.columns)
	},
	"indices": func(p *program, x, y *lazy.Array, _ [3]int) *lazy.Array {
		_, inverse := lazy.UniqueInverse(x)
		return inverse.Reshape(p.rows, p.columns)
	},
	"picked by a kernel": func(p *program, x, y *lazy.Array, k [3]int) *lazy.Array {
		m := p.rows * p.columns
		if !p.kernels || x.DType() != lazy.Float64 {
			return x.Neg()
		}
		out := lazy.Zeros(m)
		launch(pick(p.t, m), m, []*lazy.Array{x.Ravel(), lazy.Arange(m).Mul(k[0] + 1).Mod(m), out}, 2)
		return out.Reshape(p.rows, p.columns)
	},
}

// ends are operations whose results have shapes of their own.
var ends = map[string]func(p *program, x *lazy.Array, pick [3]int) []*lazy.Array{
	"part": func(p *program, x *lazy.Array, k [3]int) []*lazy.Array {
		return []*lazy.Array{x.At(lazy.S(k[0], lazy.End, k[2]+1), lazy.S(lazy.End, k[1], -1)).Copy()}
	},
	"masked":     func(p *program, x *lazy.Array, _ [3]int) []*lazy.Array { return []*lazy.Array{x.At(x.Greater(3))} },
	"masked sum": func(p *program, x *lazy.Array, _ [3]int) []*lazy.Array { return []*lazy.Array{x.At(x.Less(0)).Sum()} },
	"unique":     func(p *program, x *lazy.Array, _ [3]int) []*lazy.Array { return []*lazy.Array{lazy.Unique(x)} },
	"counts": func(p *program, x *lazy.Array, _ [3]int) []*lazy.Array {
		v, c := lazy.UniqueCounts(x)
		return []*lazy.Array{v, c}
	},
	"all distinct": func(p *program, x *lazy.Array, _ [3]int) []*lazy.Array {
		v, f, i, c := lazy.UniqueAll(x)
		return []*lazy.Array{v, f, i, c}
	},
	"places": func(p *program, x *lazy.Array, _ [3]int) []*lazy.Array {
		return append(lazy.NonZero(x.Greater(3)), lazy.ArgWhere(x.Mod(3)))
	},
	"histogram": func(p *program, x *lazy.Array, _ [3]int) []*lazy.Array {
		c, e := lazy.Histogram(lazy.Where(lazy.IsFinite(x), x, 0), 11)
		return []*lazy.Array{c, e}
	},
	"median": func(p *program, x *lazy.Array, _ [3]int) []*lazy.Array { return []*lazy.Array{lazy.Median(x)} },
	"quantiles": func(p *program, x *lazy.Array, _ [3]int) []*lazy.Array {
		return []*lazy.Array{lazy.Quantile(x, []float64{0.1, 0.77})}
	},
	"medians": func(p *program, x *lazy.Array, k [3]int) []*lazy.Array {
		return []*lazy.Array{lazy.Median(x, lazy.Axis(k[2]%2))}
	},
	"first": func(p *program, x *lazy.Array, _ [3]int) []*lazy.Array { return []*lazy.Array{x.ArgMax(), x.ArgMin()} },
	"firsts": func(p *program, x *lazy.Array, k [3]int) []*lazy.Array {
		return []*lazy.Array{x.ArgMax(lazy.Axis(k[2] % 2))}
	},
	"deviation": func(p *program, x *lazy.Array, k [3]int) []*lazy.Array {
		return []*lazy.Array{x.Std(), x.Var(lazy.Axis(k[2] % 2)), x.Prod(lazy.Axis(1))}
	},
	"any": func(p *program, x *lazy.Array, _ [3]int) []*lazy.Array {
		return []*lazy.Array{x.Greater(1e6).AnyTrue(), x.NotEqual(0).AllTrue(lazy.Axis(1))}
	},
	"counted": func(p *program, x *lazy.Array, _ [3]int) []*lazy.Array {
		return []*lazy.Array{lazy.BinCount(lazy.NanToNum(x).Abs().Mod(13).AsType(lazy.Int64).Abs().Ravel())}
	},
	"saved": func(p *program, x *lazy.Array, _ [3]int) []*lazy.Array {
		path := filepath.Join(p.t.TempDir(), "saved.npy")
		if err := lazy.Save(path, x); err != nil {
			panic(err)
		}
		a, err := arrays.Load(path)
		require.NoError(p.t, err)
		return []*lazy.Array{lazy.FromArray(a)}
	},
}

// names are the keys of a map in order.
func names[V any](of map[string]V) []string {
	out := make([]string, 0, len(of))
	for name := range of {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

var (
	firstSeed = flag.Uint64("programseed", 0, "the first seed of random programs, or of killed sessions; 0 for those of the commit")
	seedCount = flag.Uint64("programs", 1, "how many, with -programseed")
)

// asked are the seeds that were asked for, or else those of the test.
func asked(seeds iter.Seq[uint64]) iter.Seq[uint64] {
	if *firstSeed == 0 {
		return seeds
	}
	return func(yield func(uint64) bool) {
		for seed := *firstSeed; seed < *firstSeed+*seedCount && yield(seed); seed++ {
		}
	}
}

// TestRandomProgramsOfFiles: random programs have the bits that they have in memory, of files that are streamed and of
// files read by lines, by each backing and policy, on the CPU, a simulated GPU and the fake card. What needs all of a
// file is an error that says so, and is right where the budget allows it.
func TestRandomProgramsOfFiles(t *testing.T) {
	where := append([]string{}, small...)
	if _, err := testdevices.Driver(); errors.Is(err, fake.ErrNone) {
		t.Log("the fake card is left out: ", err)
	} else {
		require.NoError(t, err)
		where = append(where, "cuda:0")
	}
	rt := testdevices.Use(t)
	before := poison.Set(false)
	defer poison.Set(before)
	dir := t.TempDir()
	dtypes := []lazy.DType{lazy.Float64, lazy.Float64, lazy.Float32, lazy.Int64, lazy.Int32, lazy.Uint8, lazy.Int16}
	tooLarge := map[string]int{}
	seeds := asked(testsize.Seeds("tests/storage.TestRandomProgramsOfFiles"))
	faults := map[string]int{}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 33))
		poison.Set(seed%2 == 1)
		device := where[r.IntN(len(where))]
		lazy.Use(device)
		dtype := dtypes[r.IntN(len(dtypes))]
		p := &program{t: t, r: r, rows: 100 + r.IntN(700), columns: 1 + r.IntN(80), kernels: dtype == lazy.Float64, budget: int64(8000 + r.IntN(100_000)), faults: faults}
		p.about = fmt.Sprintf("seed %d, %s, %v, (%d, %d), budget %d", seed, device, dtype, p.rows, p.columns, p.budget)
		lazy.SetHostBudget(p.budget)
		faulty := r.IntN(4) > 0
		for range 2 {
			vals := make([]float64, p.rows*p.columns)
			for k := range vals {
				if vals[k] = float64(r.IntN(2000))/8 - 100; dtype.IsUnsigned() {
					vals[k] = float64(r.IntN(256))
				}
			}
			a := arrays.FromSlice(vals, p.rows, p.columns).AsType(dtype)
			x := p.openFile(dir, seed, a, faulty)
			p.made[0], p.made[1], p.again = append(p.made[0], lazy.FromArray(a)), append(p.made[1], x), append(p.again, nil)
		}
		files := slices.Clone(p.made[1])
		// both does one thing with either, and compares.
		both := func(name string, f func(k int) []*lazy.Array) {
			t.Helper()
			p.about += ", " + name
			look := func() error {
				return panicOf(func() {
					want, got := f(0), f(1)
					require.Equal(t, len(want), len(got), p.about)
					for i := range want {
						a, b := want[i].Array(), got[i].Copy().Array()
						require.Equal(t, a.DType(), b.DType(), p.about)
						require.Equal(t, a.Shape(), b.Shape(), p.about)
						require.True(t, string(a.Bytes()) == string(b.Bytes()), "%s: %v, in memory %v", p.about, b, a)
					}
				})
			}
			err := p.try(look, p.rebuild)
			if whole := new(offload.NotStreamed); errors.As(err, &whole) {
				require.NotEmpty(t, whole.Task, p.about)
				tooLarge[whole.Task]++
				lazy.SetHostBudget(1 << 28)
				err = p.try(look, p.rebuild)
				lazy.SetHostBudget(p.budget)
			}
			require.NoError(t, err, p.about)
		}
		for range 1 + r.IntN(5) {
			if r.IntN(2) == 0 {
				p.write()
			}
			all := names(steps)
			name, i, j, k := all[r.IntN(len(all))], r.IntN(len(p.made[0])), r.IntN(len(p.made[0])), [3]int{r.IntN(p.rows), r.IntN(p.columns), r.IntN(4)}
			p.about += fmt.Sprintf(", %d: %s of %d and %d (%v)", len(p.made[0]), name, i, j, k)
			step := func(which int) *lazy.Array { return steps[name](p, p.made[which][i], p.made[which][j], k) }
			err := p.try(func() error {
				return panicOf(func() {
					x, y := step(1), step(0)
					p.made[0], p.made[1], p.again = append(p.made[0], y), append(p.made[1], x), append(p.again, step)
				})
			}, p.rebuild)
			if whole := new(offload.NotStreamed); !errors.As(err, &whole) {
				require.NoError(t, err, p.about)
			}
		}
		all := names(ends)
		for range 2 {
			if r.IntN(2) == 0 {
				p.write()
			}
			name, i, k := all[r.IntN(len(all))], r.IntN(len(p.made[0])), [3]int{r.IntN(p.rows), r.IntN(p.columns), r.IntN(4)}
			both(fmt.Sprintf("%s of %d (%v)", name, i, k), func(which int) []*lazy.Array { return ends[name](p, p.made[which][i], k) })
		}
		last := len(p.made[0]) - 1
		both(fmt.Sprint(last), func(which int) []*lazy.Array {
			return []*lazy.Array{p.made[which][last].At(lazy.S(0, p.rows-1)).Copy()}
		})
		for i, x := range files { // what was written is in the file
			require.NoError(t, x.Close())
			if p.files[i].writable {
				a, err := arrays.Load(filepath.Join(dir, p.files[i].name))
				require.NoError(t, err, p.about)
				require.True(t, string(a.Bytes()) == string(p.made[0][i].Copy().Array().Bytes()), p.about)
			}
		}
		if device == "cuda:0" {
			for range 2 {
				offload.Collect()
			}
			rt.MemoryUse()
		}
	}
	t.Log("what needed all of a file: ", tooLarge)
	t.Log("what went wrong: ", faults)
}
