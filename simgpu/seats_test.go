package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// A scheduler that stops looking at the first warp that can issue issues as one that looks at all of them and asks the
// policy, and says the same of the cycles in which nothing issues.
func TestLookingInTurnIssuesWhatThePolicyChooses(t *testing.T) {
	for i, p := range []IssuePolicy{GTO{}, LRR{}, Oldest{}} {
		for j, c := range launchCases(t) {
			if !testsize.Part(i+j, 3) {
				continue
			}
			run := func(p IssuePolicy, d Divergence) (counts []int64) {
				b := newBench(t, "fermivt", WithIssuePolicy(p), WithDivergence(d), WithSMs(1), AsWritten())
				params, check := c.setUp(b)
				st := b.launch(c.f, c.grid, c.block, params...).Stats
				check()
				counts = append(counts, st.Cycles, st.WarpInstructions)
				counts = append(counts, st.Issued[:]...)
				counts = append(counts, st.Stalls[:]...)
				for _, l := range st.Detail.Lines {
					counts = append(counts, l.Stalls[:]...)
				}
				return counts
			}
			for _, d := range []Divergence{PDOM{}, NREC{}} {
				assert.Equal(t, run(pickOf{p.Pick}, d), run(p, d), "%s under %s and %s", c.name, p.Name(), d.Name())
			}
		}
	}
}
