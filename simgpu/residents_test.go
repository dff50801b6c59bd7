package simgpu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Buffers stay in the order of their last uses, whatever comes and goes, as sorting them anew each time says.
func TestResidentsByUse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	buffers := make([]*buffer, 40)
	for i := range buffers {
		buffers[i] = &buffer{addr: uint64(i)}
	}
	want := map[*buffer]*resident{}
	all := &residents{}
	for step := range 5000 {
		b := buffers[r.IntN(len(buffers))]
		switch r.IntN(4) {
		case 0:
			delete(want, b)
			all.put(b, nil)
		default: // mostly later than all others, at times as late as another or earlier
			e := &resident{later: uint64(step / 2 * 2)}
			if r.IntN(4) == 0 {
				e.later = uint64(r.IntN(step + 1))
			}
			for range r.IntN(5) {
				e.add(warmLine{used: uint64(r.IntN(3)), line: uint32(r.IntN(9)), valid: 1})
			}
			want[b] = e
			all.put(b, e)
		}
		if step%500 == 499 {
			all = newResidents(want)
		}
		var order []heldBuffer
		lines := 0
		for b, e := range want {
			order, lines = append(order, heldBuffer{b, e}), lines+len(e.lines)
			assert.True(t, all.of(b) == e)
		}
		slices.SortFunc(order, heldBuffer.compare)
		var sorted []*buffer
		for _, h := range order {
			sorted = append(sorted, h.buf)
		}
		if !assert.Equal(t, sorted, slices.Collect(all.byUse)) || !assert.Equal(t, lines, all.lines) {
			return
		}
	}
}
