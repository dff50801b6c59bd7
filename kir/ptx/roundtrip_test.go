package ptx_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
	"github.com/arrayrepl/arrayrepl/kir/random"
)

// targets are the devices that every printed kernel must do for: Turing, Ampere, Hopper.
var targets = []int{75, 80, 90}

func print(t *testing.T, target int, fs ...*kir.Func) string {
	t.Helper()
	text, err := ptx.Print(ptx.Options{Target: target, Lines: true}, fs...)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// back prints f and parses it again.
func back(t *testing.T, f *kir.Func) *kir.Func {
	t.Helper()
	text := print(t, 0, f)
	gs, err := ptx.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !gs[0].Bounds.Compiled {
		t.Error("a kernel in PTX must be known as one that another compiler made")
	}
	gs[0].Bounds.Compiled = f.Bounds.Compiled // the one difference
	return gs[0]
}

// corpus returns the kernels of gpu/kernels as kir, with their checks and without, optimised.
func corpus(t *testing.T) (out []*kir.Func) {
	t.Helper()
	for _, k := range kernels.All {
		for _, unchecked := range []bool{false, true} {
			c, err := kernels.Compile(k.Name, gosrc.Options{Unchecked: unchecked})
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, opt.Optimize(c.Func))
		}
	}
	return out
}

func randomKernels(test string) (out []*kir.Func) {
	for seed := range testsize.Seeds(test) {
		f := opt.Optimize(random.New(seed, random.All).Func)
		for _, blk := range f.Blocks {
			for _, v := range blk.Values {
				if v.Vec != 0 && (v.Type == kir.Bool || v.Op == kir.OpStore && v.Args[1].Type == kir.Bool) {
					v.Vec = 0 // PTX has no vectors of them: Print makes accesses of their own
				}
			}
		}
		out = append(out, f)
	}
	return out
}

func TestPrintedKernelsAreParsedAsTheSame(t *testing.T) {
	testsize.InTurn(t, 1)
	for _, f := range append(corpus(t), randomKernels("kir/ptx.TestPrintedKernelsAreParsedAsTheSame")...) {
		g := back(t, f)
		if readsBits(f) { // registers of 16 bits say no more: the text means one of several kernels, and goes on to mean it
			f, g = g, back(t, g)
		}
		if !kir.Equal(f, g) {
			t.Fatalf("another kernel comes back: of\n%s\nbecomes\n%s\nby\n%s", f, g, print(t, 0, f))
		}
	}
}

// readsBits reports whether f takes the bits of an F16 for an integer, or back.
func readsBits(f *kir.Func) bool {
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if v.Op == kir.OpBitcast && (v.Type == kir.F16 || v.Args[0].Type == kir.F16) {
				return true
			}
		}
	}
	return false
}

// TestParsedKernelsComputeTheSame runs what comes back beside the reference interpreter, before any optimisation too.
func TestParsedKernelsComputeTheSame(t *testing.T) {
	for seed := range testsize.Seeds("kir/ptx.TestParsedKernelsComputeTheSame") {
		k := random.New(seed, random.All)
		if err := k.Check(random.After("printed as PTX and parsed", func(f *kir.Func) *kir.Func { return back(t, f) }, random.Engine(1))); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPtxasAcceptsPrintedKernels: ptxas is NVIDIA's own assembler. It takes long to start, so many kernels go to it at
// once.
func TestPtxasAcceptsPrintedKernels(t *testing.T) {
	var fs []*kir.Func
	fs = append(fs, corpus(t)...)
	for i, f := range randomKernels("kir/ptx.TestPtxasAcceptsPrintedKernels") {
		f.Name = fmt.Sprintf("random%d", i)
		fs = append(fs, f)
	}
	for _, target := range targets {
		t.Run(fmt.Sprintf("sm_%d", target), func(t *testing.T) {
			t.Parallel()
			fs := slices.DeleteFunc(slices.Clone(fs), func(f *kir.Func) bool { return ptx.LeastTarget(f) > target })
			text := print(t, target, fs...)
			out, err := judges.Ptxas(t, text, target)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(out, "Compiling entry function"); n != len(fs) {
				t.Errorf("ptxas assembled %d kernels of %d", n, len(fs))
			}
		})
	}
	if _, err := judges.Ptxas(t, "nonsense", 75); err == nil {
		t.Error("ptxas accepts nonsense")
	}
}
