package zmtp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A peer that reads and answers no PING costs a bounded list of them, and an answer to the last makes room again.
func TestUnansweredPingsAreBounded(t *testing.T) {
	r := reading{asks: true, maxItems: pingParts, maxBytes: 1 << 20, stall: time.Second}
	var last []byte
	for range 3 * maxOpen {
		if context := r.take(1); context != nil {
			last = context
		}
	}
	require.Len(t, r.open, maxOpen)
	require.Nil(t, r.take(1))
	require.True(t, r.answered(append([]byte(nil), last...)))
	require.Empty(t, r.open)
	require.NotNil(t, r.take(1))
}
