package opt_test

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/random"
)

// TestRangesHold runs random kernels on the reference interpreter with a check behind every integer of which a range is
// known: none fails.
func TestRangesHold(t *testing.T) {
	checks := 0
	for seed := range testsize.Seeds("kir/opt.TestRangesHold") {
		k := random.New(5000+seed, random.All)
		f := k.Func
		if seed%2 == 1 {
			f = opt.Optimize(f)
		}
		g, n := opt.CheckRanges(f)
		checks += n
		if err := kir.Verify(g); err != nil {
			t.Fatal(err)
		}
		if _, err := random.Reference.Run(k, g); err != nil {
			t.Fatalf("seed %d: %v\n%v", 5000+seed, err, g)
		}
	}
	if t.Logf("%d checks", checks); checks < 10*testsize.Of("kir/opt.TestRangesHold") {
		t.Errorf("%d checks show little", checks)
	}
}
