package arrays

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	endian "encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// takes returns how many bytes f takes in all.
func takes(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// zeros yields n bytes.
func zeros(n int64) io.Reader { return io.LimitReader(zeroReader{}, n) }

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// pictureHeader is a PNG that says it has so many grey pixels, and hardly any.
func pictureHeader(w, h uint32) []byte {
	chunk := func(kind string, data []byte) []byte {
		b := endian.BigEndian.AppendUint32(nil, uint32(len(data)))
		b = append(append(b, kind...), data...)
		return endian.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
	}
	head := endian.BigEndian.AppendUint32(endian.BigEndian.AppendUint32(nil, w), h)
	var pixels bytes.Buffer
	z := zlib.NewWriter(&pixels)
	z.Write(make([]byte, 1000))
	z.Close()
	b := append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(head, 8, 0, 0, 0, 0))...)
	return append(append(b, chunk("IDAT", pixels.Bytes())...), chunk("IEND", nil)...)
}

// TestBombs: small files that say they hold much are errors, or are read, and take little memory.
func TestBombs(t *testing.T) {
	testsize.InTurn(t, 0)
	dir := t.TempDir()
	npz := filepath.Join(dir, "a.npz")
	f, err := os.Create(npz)
	require.NoError(t, err)
	z := zip.NewWriter(f)
	w, err := z.Create("x.npy")
	require.NoError(t, err)
	header := fmt.Sprintf("%-117s\n", "{'descr': '|u1', 'fortran_order': False, 'shape': (300000000,), }")
	_, err = io.WriteString(w, "\x93NUMPY"+"\x01\x00"+string(endian.LittleEndian.AppendUint16(nil, uint16(len(header))))+header)
	require.NoError(t, err)
	_, err = io.Copy(w, zeros(300_000_000))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	require.NoError(t, f.Close())
	columns := filepath.Join(dir, "text.csv")
	require.NoError(t, os.WriteFile(columns, []byte("name,x\n"+strings.Repeat("n", 1_000_000)+",1\n"+strings.Repeat("ab,1\n", 20_000)), 0o600))
	long := filepath.Join(dir, "long.csv")
	require.NoError(t, os.WriteFile(long, []byte("name,x\n"+strings.Repeat("n", maxChars+1)+",1\n"), 0o600))
	wide := filepath.Join(dir, "wide.csv") // many lines, each of which might be a row of many cells
	require.NoError(t, os.WriteFile(wide, []byte(strings.Repeat(",", 100_000)+"\n"+strings.Repeat("\n", 800_000)), 0o600))
	for name, c := range map[string]struct {
		read func() error
		want string
		most uint64 // bytes
	}{
		"picture":      {func() error { _, err := ReadImage(bytes.NewReader(pictureHeader(30_000, 30_000))); return err }, "more than 250 times", 1 << 20},
		"huge picture": {func() error { _, err := ReadImage(bytes.NewReader(pictureHeader(1<<31-1, 1<<31-1))); return err }, "", 1 << 20},
		"archive":      {func() error { _, err := LoadZ(npz); return err }, "np.SetUnpackTimes", 4 << 20},
		// not the 80 GB of an array of one width
		"texts":        {func() error { _, _, err := LoadTable(columns); return err }, "-", 128 << 20},
		"long text":    {func() error { _, _, err := LoadTable(long); return err }, "-", 128 << 20},
		"not a number": {func() error { _, err := LoadCSV(long); return err }, `"` + strings.Repeat("n", 60) + `…" is not a number`, 64 << 20},
		"wide":         {func() error { _, err := LoadCSV(wide); return err }, "-", 128 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			assert.Less(t, takes(func() { err = c.read() }), c.most)
			if c.want == "-" {
				assert.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
			assert.Less(t, len(err.Error()), 600)
		})
	}
	_, cut, err := LoadTable(columns, TextWidth(5))
	require.NoError(t, err)
	assert.Equal(t, Str(5), cut[0].DType())
	assert.Equal(t, "nnnnn", cut[0].At(0).String())
}
