package pieces

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
	"github.com/stretchr/testify/assert"
)

// TestPiecesMakeNothingBetween: a piece that makes every so many elements of an array does not make those between,
// which a later task of the same piece would read: columns of what is read by rows, after a Reshape. Found by random
// programs of files.
func TestPiecesMakeNothingBetween(t *testing.T) {
	rt := testdevices.Use(t)
	for _, limit := range []int64{1 << 18, 300_000, 400_000, 600_000} {
		lazy.Use("sim:tiny")
		rt.SetMemLimit(limit)
		const rows, columns = 476, 52
		x := arrays.Arange(rows*columns).Reshape(rows, columns)
		z := x.Add(x)
		want := z.T().Copy().Reshape(rows, columns).Sub(z)
		a := lazy.FromArray(x).Add(lazy.FromArray(x.Copy()))
		got := a.T().Copy().Reshape(rows, columns).Sub(a)
		a = nil
		assert.Equal(t, want.Bytes(), got.Array().Bytes(), limit)
	}
}
