package arrays

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPackedTablesThatEndEarly: a packed table that is cut short anywhere is an error and no shorter table, also where
// the caller unpacks it.
func TestPackedTablesThatEndEarly(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte("a,b\n" + strings.Repeat("1,2\n", 100)))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	path := filepath.Join(t.TempDir(), "x.csv.gz")
	for n := range b.Len() {
		require.NoError(t, os.WriteFile(path, b.Bytes()[:n], 0o600))
		_, err := LoadCSV(path)
		require.Error(t, err, "%d bytes", n)
		_, _, err = LoadTable(path)
		require.Error(t, err, "%d bytes", n)
		if in, err := gzip.NewReader(bytes.NewReader(b.Bytes()[:n])); err == nil {
			_, err = ReadCSV(in)
			require.Error(t, err, "%d bytes", n)
		}
	}
	for behind, ok := range map[string]bool{"": true, "\x00\x00\x00": true, "\x00x": false, "more": false} {
		require.NoError(t, os.WriteFile(path, append(bytes.Clone(b.Bytes()), behind...), 0o600))
		a, err := LoadCSV(path)
		if !ok {
			require.ErrorContains(t, err, "behind the packed text")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, []int{100, 2}, a.Shape())
	}
}
