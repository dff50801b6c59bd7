package arrays

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// flipped calls read with each file that differs from content in one bit.
func flipped(t *testing.T, name string, content []byte, read func(path string, bit int)) {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, content, 0o600))
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer f.Close()
	for bit := range 8 * len(content) {
		at := bit / 8
		_, err := f.WriteAt([]byte{content[at] ^ 1<<(bit%8)}, int64(at))
		require.NoError(t, err)
		read(path, bit)
		_, err = f.WriteAt(content[at:at+1], int64(at))
		require.NoError(t, err)
	}
}

// TestDamagedArchives: of a file with a checksum, one wrong bit is an error, or it is where it changes no number: in a
// date, or a name.
func TestDamagedArchives(t *testing.T) {
	want := map[string]*Array{"x": Arange(5).AsType(Float32), "label": FromSlice([]string{"ab", "c"})}
	for name, method := range map[string]uint16{"stored": zip.Store, "deflated": zip.Deflate} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			z := zip.NewWriter(&b)
			for _, name := range slices.Sorted(maps.Keys(want)) {
				w, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: method})
				require.NoError(t, err)
				require.NoError(t, want[name].WriteNPY(w))
			}
			require.NoError(t, z.Close())
			refused := 0
			flipped(t, "a.npz", b.Bytes(), func(path string, bit int) {
				got, err := LoadZ(path)
				if err != nil {
					refused++
					return
				}
				for name, a := range got {
					if w, ok := want[name]; ok {
						assert.Equal(t, w.String(), a.String(), "bit %d", bit)
					}
				}
			})
			assert.Greater(t, refused, 8*100)
		})
	}
	t.Run("csv.gz", func(t *testing.T) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, err := z.Write([]byte("1,2\n3,4\n5,6\n"))
		require.NoError(t, err)
		require.NoError(t, z.Close())
		flipped(t, "a.csv.gz", b.Bytes(), func(path string, bit int) {
			if got, err := LoadCSV(path); err == nil {
				assert.Equal(t, Arange(7).At(From(1)).Reshape(3, 2).AsType(Float64).String(), got.String(), "bit %d", bit)
			}
		})
	})
}

// archiveOf writes an archive whose only member, x.npy, has these bytes, and returns its path.
func archiveOf(t *testing.T, member []byte) (path string) {
	path = filepath.Join(t.TempDir(), "a.npz")
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("x.npy")
	require.NoError(t, err)
	_, err = w.Write(member)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	return path
}

// TestBytesAfterAnArray: what follows the array in a member of an archive is not passed over.
func TestBytesAfterAnArray(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, Arange(3).WriteNPY(&b))
	b.WriteString("more")
	path := archiveOf(t, b.Bytes())
	_, err := LoadZ(path)
	assert.ErrorContains(t, err, path+": x.npy: 4 bytes follow the array")
}
