package corpus

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	. "github.com/arrayrepl/arrayrepl/simgpu"
)

// A recording takes less than 24 bytes of memory for each warp instruction of its launch, with all that it keeps of
// four machines that have nothing in common and of policies. The arrays of the launch and the kernel, which it has from
// its caller, are not counted.
func TestMemoryOfRecordings(t *testing.T) {
	testsize.InTurn(t, 2)
	of := gpu.Corpus()
	if testsize.Short() {
		of = gpu.Corpus("Gather", "Histogram", "VectorAdd")
	}
	for _, rec := range of {
		c := gpu.Compare(rec, append(Variants("fermivt", WithPicker(GTO{}), WithDivergence(TF{})), "sim:v100", "sim:tesla2009", "sim:fermisbi")...)
		n := int64(0)
		for _, row := range c.Rows {
			require.NoError(t, row.Err)
			n = row.Stats.WarpInstructions
		}
		held := holder{seen: map[unsafe.Pointer]bool{}}
		held.add(reflect.ValueOf(rec.Recorded()))
		t.Logf("%s: %.1f bytes for each of %d warp instructions", rec, float64(held.bytes)/float64(n), n)
		assert.Positive(t, held.bytes)
		assert.Less(t, held.bytes, 24*n, rec)
	}
}

// holder counts the bytes that a value holds, each once.
type holder struct {
	seen  map[unsafe.Pointer]bool
	bytes int64
}

// new reports whether what begins at p is to be counted, and counts it.
func (h *holder) new(p unsafe.Pointer, bytes int64) bool {
	if p == nil || h.seen[p] {
		return false
	}
	h.seen[p] = true
	h.bytes += bytes
	return true
}

func (h *holder) add(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		switch v.Type().String() {
		case "*kir.Func", "*cpu.Memory", "*cpu.Program": // of the caller
			return
		}
		if h.new(v.UnsafePointer(), int64(v.Type().Elem().Size())) {
			h.add(v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() {
			h.add(v.Elem())
		}
	case reflect.Struct:
		if t := v.Type(); t.PkgPath() == "sync/atomic" && t.NumField() == 3 && t.Field(0).Type.Kind() == reflect.Array { // a Pointer
			if p := v.Field(2).UnsafePointer(); p != nil {
				h.add(reflect.NewAt(t.Field(0).Type.Elem().Elem(), p))
			}
			return
		}
		for i := range v.NumField() {
			h.add(v.Field(i))
		}
	case reflect.Slice:
		if v.Cap() == 0 || !h.new(v.UnsafePointer(), int64(v.Cap())*int64(v.Type().Elem().Size())) {
			return
		}
		fallthrough
	case reflect.Array:
		if v.Type().Elem().Kind() <= reflect.Complex128 {
			return
		}
		for i := range v.Len() {
			h.add(v.Index(i))
		}
	case reflect.Map:
		h.bytes += int64(v.Len()) * 2 * int64(v.Type().Elem().Size()+v.Type().Key().Size())
		for at := v.MapRange(); at.Next(); {
			h.add(at.Key())
			h.add(at.Value())
		}
	case reflect.String:
		h.bytes += int64(v.Len())
	}
}
