package random

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/kir/opt"
)

// TestSameKernelEachTime: what a kernel becomes must not depend on the order of maps, as modelled times would then
// change from run to run.
func TestSameKernelEachTime(t *testing.T) {
	for seed := range uint64(60) {
		k := New(seed, All)
		want := opt.Optimize(k.Func).String()
		for range 5 {
			if got := opt.Optimize(k.Func).String(); got != want {
				t.Fatalf("kernel %d becomes\n%s\nand\n%s", seed, want, got)
			}
		}
	}
}
