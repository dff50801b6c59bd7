package carried

import (
	"bytes"
	"compress/gzip"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSizesThatCannotBe: what a notebook says of a file's size is checked before memory is taken.
func TestSizesThatCannotBe(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(make([]byte, 1<<20))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	for _, size := range []int64{-1, math.MinInt64, math.MaxInt64, math.MaxInt64 - 1, 8 << 30} {
		_, err := File{Size: size, Gzip: b.Bytes()}.Content()
		assert.Error(t, err, size)
		assert.NotContains(t, err.Error(), "SHA-256", size)
	}
}
