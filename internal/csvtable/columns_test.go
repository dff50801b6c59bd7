package csvtable

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/calendar"
)

// plainMaker keeps what it is given of columns.
type plainMaker struct {
	sync.Mutex
	columns map[string]Values
	texts   map[string][]string
}

// Begin implements Maker.
func (m *plainMaker) Begin(int) { m.columns, m.texts = map[string]Values{}, map[string][]string{} }

// Batch implements Maker.
func (m *plainMaker) Batch() func(i int, c *Column) error {
	return func(_ int, c *Column) error {
		v, err := c.Values(func(bytes int) []byte { return make([]byte, bytes) })
		if err != nil {
			return err
		}
		m.Lock()
		defer m.Unlock()
		m.columns[c.Name()] = v
		for cell := range c.All {
			m.texts[c.Name()] = append(m.texts[c.Name()], strings.Clone(cell))
		}
		return nil
	}
}

// TestColumnsOfPlainValues: each type of column, in memory of the caller's, and what is missing of those that have no
// value for it.
func TestColumnsOfPlainValues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	require.NoError(t, os.WriteFile(path, []byte("f,n,u,b,d,s\n0.5,-1,18446744073709551615,True,2024-02-29,oak\n,,1,,,\"NA\"\n"), 0o600))
	o := optionsOf(func(o *Options) { o.Masked, o.KeepText = true, true })
	m := new(plainMaker)
	names, report, err := ReadColumns(path, o, m)
	require.NoError(t, err)
	require.Equal(t, []string{"f", "n", "u", "b", "d", "s"}, names)
	require.True(t, report.Header)
	gone := []bool{false, true}
	f, n, u, b, d := m.columns["f"], m.columns["n"], m.columns["u"], m.columns["b"], m.columns["d"]
	require.Equal(t, []Type{Float64, Int64, Uint64, Bool, Date, Text}, []Type{f.Type, n.Type, u.Type, b.Type, d.Type, m.columns["s"].Type})
	floats := sliceOf[float64](f.Data)
	require.True(t, floats[0] == 0.5 && math.IsNaN(floats[1]) && f.Missing == nil, floats)
	require.Equal(t, []int64{-1, 0}, sliceOf[int64](n.Data))
	require.Equal(t, gone, n.Missing)
	require.Equal(t, []uint64{math.MaxUint64, 1}, sliceOf[uint64](u.Data))
	require.Equal(t, []byte{1, 0}, b.Data)
	require.Equal(t, gone, b.Missing)
	require.Equal(t, []int64{19782, calendar.NaT}, sliceOf[int64](d.Data))
	require.Equal(t, calendar.Day, d.Unit)
	require.Equal(t, []string{"oak", "NA"}, m.texts["s"])
}
