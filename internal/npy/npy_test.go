package npy

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is written is read again, and ends where a multiple of 64 bytes does, as the format has it.
func TestHeadComesBack(t *testing.T) {
	for _, c := range []struct {
		name  string
		shape []int
		text  string
	}{
		{"i8", []int{}, "'<i8', 'fortran_order': False, 'shape': (), "}, {"b1", []int{3}, "'|b1', 'fortran_order': False, 'shape': (3,), "},
		{"c16", []int{2, 0, 5}, "'<c16', 'fortran_order': False, 'shape': (2, 0, 5), "}, {"M8[ms]", []int{1, 1}, "'<M8[ms]'"}, {"U12", []int{1 << 40}, "(1099511627776,)"},
	} {
		head := Head(c.name, c.shape)
		assert.Zero(t, len(head)%64)
		assert.Contains(t, string(head), c.text)
		h, err := Read(bytes.NewReader(head))
		require.NoError(t, err)
		assert.Equal(t, c.name, h.Type.Name())
		assert.Equal(t, c.shape, h.Shape)
		assert.False(t, h.Fortran)
		for n := range head {
			_, err := Read(bytes.NewReader(head[:n]))
			require.Error(t, err, n)
		}
	}
}

// Elements that are not there are an error before there is memory for all that were promised.
func TestShortFiles(t *testing.T) {
	taken := 0
	reserve := func(n int) []byte { taken += n; return make([]byte, n) }
	_, err := Elements(strings.NewReader("1234"), 1<<40, false, reserve, func() {})
	var short *Short
	require.ErrorAs(t, err, &short)
	assert.Equal(t, Short{4, 1 << 40}, *short)
	assert.LessOrEqual(t, taken, 1<<20)
	broken := errors.New("the disk is gone")
	_, err = Elements(io.MultiReader(strings.NewReader("1"), brokenReader{broken}), 8, true, reserve, func() {})
	assert.ErrorIs(t, err, broken)
	got, err := Elements(strings.NewReader(strings.Repeat("ab", 3<<20)), 6<<20, false, reserve, func() {})
	require.NoError(t, err)
	Swap(got, 2)
	assert.Equal(t, strings.Repeat("ba", 3<<20), string(got))
}

type brokenReader struct{ error }

// Read implements io.Reader.
func (b brokenReader) Read([]byte) (int, error) { return 0, b.error }
