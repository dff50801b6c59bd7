package simgpu

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/kir/random"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// The cycles in which nothing issues are those of lines, all of them, by why: what the statistics have of the launch,
// where it is timed whole, but for cycles in which a scheduler had no warp.
func TestStallsOfLines(t *testing.T) {
	for seed := range uint64(25) {
		k := random.New(300+seed, random.All)
		for _, machine := range []string{"v100", "g80", "gtx480"} {
			b := newBench(t, machine, Full())
			in, out := b.put(k.Input), b.put(k.Output())
			loaded, err := b.gpu.Load(k.Func)
			if !assert.NoError(t, err) {
				continue
			}
			e := b.stream.Launch(loaded, k.Grid, k.Block, 0, k.At(in.Addr(), out.Addr()))
			if e.Wait(ctx) != nil {
				continue
			}
			st := e.Trace().Stats
			var sum [trace.NumStalls]int64
			for _, l := range st.Detail.Lines {
				for class, n := range l.Stalls {
					sum[class] += n
				}
			}
			want := st.Stalls
			want[trace.StallEmpty] = 0
			assert.Equal(t, want, sum, fmt.Sprint(seed, machine))
		}
	}
}
