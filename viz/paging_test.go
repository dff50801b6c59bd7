package viz

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// pagedLog is a made-up evaluation of n pieces of 1,000 rows: each is copied in for 10 µs, computed for 5 and
// copied out for 10, the next copied in meanwhile.
func pagedLog(n int) *trace.Log {
	const us = trace.Microsecond
	l := &trace.Log{}
	for i := range n {
		p := trace.Piece{Pass: 1, Number: i + 1, From: 1000 * i, To: 1000 * (i + 1)}
		add := func(k trace.Kind, stream int, from, to trace.Time, bytes int64) {
			at := trace.Time(10*i) * us
			l.Add(trace.Event{Name: k.String(), Kind: k, Device: "sim:tiny#0", Stream: stream, Start: at + from*us, End: at + to*us, Modelled: true, Bytes: bytes, Piece: p})
		}
		add(trace.CopyIn, 1, 0, 4, 8000)
		add(trace.CopyIn, 1, 4, 10, 8000) // of a second array, at once after the first
		add(trace.Kernel, 0, 12, 17, 0)
		add(trace.CopyOut, 2, 17, 27, 8000)
	}
	return l
}

func TestPagingShowsWhichRowsAreThereWhen(t *testing.T) {
	c := Paging(pagedLog(4))
	require.NoError(t, c.Err)
	p := c.Panels[0]
	assert.Equal(t, []string{"rows 0 to 999", "rows 1,000 to 1,999", "rows 2,000 to 2,999", "rows 3,000 to 3,999"}, p.Y.Categories)
	var names []string
	for _, s := range p.Series {
		names = append(names, s.Name)
		require.Len(t, s.Boxes, 4, s.Name)
	}
	assert.Equal(t, []string{"copy in", "kernel", "copy out", "waits on the device"}, names)
	second := func(series int) [2]float64 { b := p.Series[series].Boxes[1]; return [2]float64{b.X0, b.X1} }
	assert.Equal(t, [2]float64{10, 20}, second(0), "the copies of two arrays are one box")
	assert.Equal(t, [2]float64{22, 27}, second(1))
	assert.Equal(t, [2]float64{27, 37}, second(2))
	assert.Equal(t, [2]float64{20, 22}, second(3), "between its copy and its kernel")
	// A piece is there for 27 µs, and one comes every 10.
	assert.Equal(t, "sim:tiny#0: 4 pieces, at most 3 at a time on the device; 64 kB copied in, 32 kB copied out.", c.Notes[0])
}

func TestPagingOfManyPiecesAndOfNone(t *testing.T) {
	c := Paging(pagedLog(1000))
	require.NoError(t, c.Err)
	assert.Len(t, c.Panels[0].Y.Categories, maxPieces)
	assert.Contains(t, c.Notes[0], "1,000 pieces, at most 3 at a time on the device; 16 MB copied in, 8 MB copied out. The first 32 are drawn.")
	assert.ErrorContains(t, Paging(sampleLog()).Err, "nothing was cut into pieces")
}

// pagedOr is the paging of a log with pieces, which logs of other tests do not have; of an empty log it is its own.
func pagedOr(l *trace.Log) *Chart {
	if len(l.Events()) > 0 && len(passesOf(l)) == 0 {
		l = pagedLog(3)
	}
	return Paging(l)
}
