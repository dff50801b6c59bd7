//go:build unix

package storage

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// arrowFile writes a table of several batches, as Arrow's own library does.
func arrowFile(t *testing.T, stream bool, opts ...ipc.Option) (path string, want []float64) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "id", Type: arrow.PrimitiveTypes.Int64}, {Name: "fare", Type: arrow.PrimitiveTypes.Float64}, {Name: "gaps", Type: arrow.PrimitiveTypes.Float64, Nullable: true}, {Name: "ok", Type: arrow.FixedWidthTypes.Boolean}}, nil)
	opts = append(opts, ipc.WithSchema(schema))
	var file bytes.Buffer
	var w interface {
		Write(arrow.RecordBatch) error
		Close() error
	} = ipc.NewWriter(&file, opts...)
	if !stream {
		var err error
		w, err = ipc.NewFileWriter(&file, opts...)
		require.NoError(t, err)
	}
	for _, n := range []int{5000, 1, 0, 12_345} {
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for range n {
			v := float64(len(want)) / 8
			want = append(want, v)
			b.Field(0).(*array.Int64Builder).Append(int64(len(want)))
			b.Field(1).(*array.Float64Builder).Append(v)
			b.Field(2).(*array.Float64Builder).AppendNull()
			b.Field(3).(*array.BooleanBuilder).Append(true)
		}
		require.NoError(t, w.Write(b.NewRecordBatch()))
	}
	require.NoError(t, w.Close())
	path = filepath.Join(t.TempDir(), "trips.arrow")
	require.NoError(t, os.WriteFile(path, file.Bytes(), 0o600))
	return path, want
}

// TestArrowColumns: a column of an Arrow file, in several batches, is an array that is read piece by piece and by
// lines.
func TestArrowColumns(t *testing.T) {
	path, want := arrowFile(t, false)
	onEach(t, small, func(t *testing.T, rt *offload.Runtime) {
		lazy.SetHostBudget(20_000)
		x, err := lazy.Open(path, lazy.Column("fare"))
		require.NoError(t, err)
		assert.Equal(t, want, x.Mul(1).Float64s())
		assert.Equal(t, want[4990:5010], x.At(lazy.S(4990, 5010)).Copy().Float64s())
		at := []int64{0, 4999, 5000, 5001, 17_345, 7}
		taken := lazy.Take(x, at).Float64s()
		for i, k := range at {
			assert.Equal(t, want[k], taken[i])
		}
		assert.Equal(t, want[len(want)-1], lazy.Sort(x.Neg()).At(0).Neg().Float64())
		assert.NotZero(t, rt.Stats().Pieces)
		require.NoError(t, x.Close())
	})
}

// TestArrowColumnsThatDoNotLie: what is not there as elements are says why.
func TestArrowColumnsThatDoNotLie(t *testing.T) {
	path, _ := arrowFile(t, false)
	packed, _ := arrowFile(t, false, ipc.WithZstd())
	stream, _ := arrowFile(t, true)
	for _, x := range []struct{ path, column, want string }{
		{path, "fair", `there is no column "fair"`}, {path, "gaps", "missing values"}, {path, "ok", "values of type bool"}, {packed, "fare", "compressed"}, {stream, "fare", "in a stream"},
	} {
		_, err := lazy.Open(x.path, lazy.Column(x.column))
		assert.ErrorContains(t, err, x.want)
	}
	_, err := lazy.Open(path, lazy.Column("fare"), lazy.Writable())
	assert.ErrorContains(t, err, "opened for reading alone")
	_, err = lazy.Open(saved(t), lazy.Column("fare"))
	assert.ErrorContains(t, err, "cannot be read as Arrow")
}
