package tests

import (
	"context"
	"testing"

	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/check"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
)

// TestCleanKernelsHaveNoFindings runs the corpus through the checkers, as written and optimised.
func TestCleanKernelsHaveNoFindings(t *testing.T) {
	for _, k := range kernels.All {
		c, err := kernels.Compile(k.Name, gosrc.Options{})
		if err != nil {
			t.Fatalf("%s: %v", k.Name, err)
		}
		for name, f := range map[string]*kir.Func{"as written": c.Func, "optimised": kir.Optimize(c.Func)} {
			params, memory, err := kernels.Pack(c, k.Args())
			if err != nil {
				t.Fatalf("%s: %v", k.Name, err)
			}
			m := kir.NewMemory()
			for base, b := range memory {
				m.Map(base, b)
			}
			p, err := kir.Compile(f)
			if err != nil {
				t.Fatalf("%s: %v", k.Name, err)
			}
			dim := func(d [3]int) kir.Dim3 { return kir.Dim3{X: d[0], Y: d[1], Z: d[2]} }
			found, err := check.Run(context.Background(), p, kir.Launch{
				Grid: dim(k.Grid), Block: dim(k.Block), SharedBytes: k.Dynamic, Params: params, Memory: m}, check.Options{})
			if err != nil {
				t.Errorf("%s, %s: %v", k.Name, name, err)
			}
			for _, f := range found {
				t.Errorf("%s, %s: %v", k.Name, name, f)
			}
		}
	}
}
