package gpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestForgottenHostMemory: a program that copies into ever new slices and never waits keeps some of them alone. What is
// forgotten was queued first.
func TestForgottenHostMemory(t *testing.T) {
	for _, c := range []struct{ bytes, kept int }{{1 << 20, 256}, {16, mostHostUses}, {300 << 20, 1}} {
		var h hostUses
		memory := make([]byte, c.bytes)
		of, told := &lane{}, 0
		for n := 1; n <= 2*c.kept; n++ {
			u := hostUse{use: use{moment: moment{of: of, n: n}}, memory: hostMemory{bytes: memory}}
			h.of(u, func(*hostUse, hostUse) { told++ })
			h[len(h)-1].moment.of = &lane{} // or the next one would come after it, and take its place
		}
		assert.Len(t, h, c.kept)
		assert.Equal(t, 2*c.kept, h[len(h)-1].n)
		assert.Zero(t, told, "nobody writes")
	}
}
