package pieces

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Each event of an evaluation in pieces says which rows it is for: those of a pass are all rows, each once, and its
// copies have the bytes of the arrays. A running sum takes the pieces through twice; what fits has no pieces.
func TestEventsTellTheirPiece(t *testing.T) {
	testsize.InTurn(t, 2)
	const n = 1<<20 + 1000
	rt := paged(t, 4<<20)
	in := lazy.FromSlice(make([]float64, n))
	for name, c := range map[string]struct {
		of     *lazy.Array
		passes int
	}{"once": {in.Sin().Exp(), 1}, "twice": {in.CumSum(), 2}} {
		before := rt.Stats()
		lazy.Eval(c.of)
		next, copied, pieces := map[int]int{}, map[trace.Kind]int64{}, 0
		last := map[int]int{}
		for _, e := range trace.Last().Events() {
			if e.Kind == trace.CopyIn || e.Kind == trace.CopyOut {
				copied[e.Kind] += e.Bytes
			}
			p := e.Piece
			if p.Number == 0 || p.Number == last[p.Pass] {
				continue
			}
			if p.Number > last[p.Pass] { // the log is in the order of beginnings, so earlier pieces come between
				require.Equal(t, last[p.Pass]+1, p.Number, name)
				require.Equal(t, next[p.Pass], p.From, name)
				next[p.Pass], last[p.Pass] = p.To, p.Number
				pieces++
			}
		}
		require.Len(t, next, c.passes, name)
		for pass, to := range next {
			assert.Equal(t, n, to, "%s, pass %d", name, pass)
		}
		after := rt.Stats()
		assert.EqualValues(t, after.Pieces-before.Pieces, pieces, name)
		assert.Equal(t, after.BytesIn-before.BytesIn, copied[trace.CopyIn], name)
		assert.Equal(t, after.BytesOut-before.BytesOut, copied[trace.CopyOut], name)
	}
	lazy.Eval(lazy.FromSlice(make([]float64, 1000)).Sin())
	for _, e := range trace.Last().Events() {
		assert.Zero(t, e.Piece)
	}
}
