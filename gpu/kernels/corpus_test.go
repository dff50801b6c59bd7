package kernels_test

import (
	"math"
	"reflect"
	"sort"
	"testing"

	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
	"github.com/arrayrepl/arrayrepl/kir/ref"
)

// Each kernel of the corpus, compiled and run on the CPU engine, as it is, optimised, printed as PTX and parsed, and
// with few registers, gives what the reference interpreter gives, what its Go function gives under emulation, and what
// plain Go gives: with checks of its indices and without, in a short test one of both, the next turn the other.
func TestCorpus(t *testing.T) {
	for i, k := range kernels.All {
		t.Run(k.Name, func(t *testing.T) {
			c, err := kernels.Compile(k.Name, gosrc.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := k.Args()
			k.Want(want)

			emulated := k.Args()
			if err := k.Emulate(emulated); err != nil {
				t.Fatal("emulation:", err)
			}
			compare(t, k, "emulated", emulated, want)

			bare, err := kernels.Compile(k.Name, gosrc.Options{Unchecked: true})
			if err != nil {
				t.Fatal(err)
			}
			for j, c := range []*gosrc.Kernel{c, bare} {
				if !testsize.Part(i+j, 2) {
					continue
				}
				run := k.Args()
				if err := k.Run(c, run); err != nil {
					t.Fatal("engine:", err)
				}
				compare(t, k, "engine", run, want)

				optimised := withFunc(c, opt.Optimize(c.Func))
				run = k.Args()
				if err := k.Run(optimised, run); err != nil {
					t.Fatal("optimised:", err)
				}
				compare(t, k, "optimised", run, want)

				run = k.Args()
				if err := interpret(k, c, run); err != nil {
					t.Fatal("reference interpreter:", err)
				}
				compare(t, k, "reference interpreter", run, want)

				text, err := ptx.Print(ptx.Options{}, optimised.Func)
				if err != nil {
					t.Fatal(err)
				}
				parsed, err := ptx.Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				const fewest = 16 // registers that gpu.MaxRegisters may ask for
				spilled := opt.Spill(optimised.Func, fewest)
				if n := opt.Registers(spilled); n > fewest && !(n <= 24 && multiplies(spilled)) {
					t.Errorf("%d registers are the fewest", n)
				}
				for who, f := range map[string]*kir.Func{"from PTX": parsed[0], "with 16 registers": spilled} {
					other := withFunc(c, f)
					run := k.Args()
					if err := k.Run(other, run); err != nil {
						t.Fatal(who, err)
					}
					compare(t, k, who, run, want)
				}
			}
		})
	}
}

// multiplies reports whether f has products of matrices, single instructions of up to 12 words.
func multiplies(f *kir.Func) bool {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == kir.OpMMA {
				return true
			}
		}
	}
	return false
}

// withFunc is c with another function.
func withFunc(c *gosrc.Kernel, f *kir.Func) *gosrc.Kernel {
	return &gosrc.Kernel{Func: f, Params: c.Params, Prints: c.Prints, Dynamic: c.Dynamic, Variables: c.Variables}
}

// interpret runs c on the reference interpreter with the launch of k.
func interpret(k kernels.Kernel, c *gosrc.Kernel, args []any) error {
	params, memory, err := kernels.Pack(c, args)
	if err != nil {
		return err
	}
	dim := func(d [3]int) kir.Dim3 { return kir.Dim3{X: d[0], Y: d[1], Z: d[2]} }
	return ref.Run(c.Func, ref.Launch{Grid: dim(k.Grid), Block: dim(k.Block), SharedBytes: k.Dynamic, Params: params, Memory: memory})
}

// compare tests the slices among the arguments.
func compare(t *testing.T, k kernels.Kernel, who string, got, want []any) {
	t.Helper()
	for i := range got {
		g, w := reflect.ValueOf(got[i]), reflect.ValueOf(want[i])
		if g.Kind() != reflect.Slice {
			continue
		}
		if k.Unordered {
			g, w = sorted(g), sorted(w)
		}
		for j := range g.Len() {
			x, y := g.Index(j), w.Index(j)
			if alike(x, y, k.Within) {
				continue
			}
			t.Fatalf("%s: argument %d, element %d is %v, plain Go has %v", who, i, j, x, y)
		}
	}
}

// alike compares numbers, and arrays of them.
func alike(x, y reflect.Value, within float64) bool {
	switch {
	case x.Kind() == reflect.Array:
		for i := range x.Len() {
			if !alike(x.Index(i), y.Index(i), within) {
				return false
			}
		}
		return true
	case x.CanFloat():
		return near(x.Float(), y.Float(), within)
	case x.CanComplex():
		return near(real(x.Complex()), real(y.Complex()), within) && near(imag(x.Complex()), imag(y.Complex()), within)
	}
	return x.Equal(y)
}

func near(x, y, within float64) bool {
	return x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= within*max(math.Abs(x), math.Abs(y), 1)
}

func sorted(v reflect.Value) reflect.Value {
	out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(out, v)
	if v.Len() > 0 && v.Index(0).CanInt() {
		sort.Slice(out.Interface(), func(i, j int) bool { return out.Index(i).Int() < out.Index(j).Int() })
	}
	return out
}
