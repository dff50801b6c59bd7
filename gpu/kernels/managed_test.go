package kernels_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

var managedDTypes = map[reflect.Kind]arrays.DType{
	reflect.Int32: arrays.Int32, reflect.Int64: arrays.Int64, reflect.Float32: arrays.Float32, reflect.Float64: arrays.Float64, reflect.Uint8: arrays.Uint8,
}

// The kernels of the corpus give in managed memory what they give in their own, on a simulated GPU that has room for a
// few pages at a time: the others come and go. A short test tries a third of them, each turn others.
func TestManagedMemory(t *testing.T) {
	name := simgpu.Custom("v100", simgpu.Change(func(p *simgpu.Preset) { p.MemoryBytes, p.PageBytes = 1<<20, 4<<10 }))
	r := new(device.Registry)
	r.Add(name, func() (device.Device, error) { return simgpu.Open(name) })
	rt, err := offload.New(r, name)
	require.NoError(t, err)
	lazy.Wiring{}.SetRuntime(rt)
	defer lazy.Wiring{}.SetRuntime(nil)
	tried := 0
	for i, k := range kernels.All {
		want := k.Args()
		if !testsize.Part(i, 3) || !numbers(want) {
			continue
		}
		tried++
		k.Want(want)
		f, err := kernels.Source(k.Name)
		require.NoError(t, err)
		s := gpu.NewStream()
		got, args, managed := k.Args(), k.Options(), map[int]*gpu.ManagedBuffer{}
		for j, a := range got {
			v := reflect.ValueOf(a)
			if v.Kind() != reflect.Slice {
				args = append(args, a)
				continue
			}
			m := gpu.Managed(managedDTypes[v.Type().Elem().Kind()], v.Len())
			reflect.Copy(elements(m.Host(s)), v)
			managed[j], args = m, append(args, m)
		}
		s.Launch(f, gpu.Grid(k.Grid[:]...), gpu.Block(k.Block[:]...), args...)
		s.Sync()
		for j, m := range managed {
			reflect.Copy(reflect.ValueOf(got[j]), elements(m.Host(s)))
			m.Free()
		}
		compare(t, k, k.Name, got, want)
	}
	require.Greater(t, tried, 8)
}

// numbers reports whether all slices are of numbers, and none is empty.
func numbers(args []any) bool {
	for _, a := range args {
		v := reflect.ValueOf(a)
		if v.Kind() == reflect.Slice && (v.Len() == 0 || !plain(v.Type().Elem())) {
			return false
		}
	}
	return true
}

// elements are those of a buffer as a slice of their type.
func elements(b *gpu.HostBuffer) reflect.Value {
	switch b.DType() {
	case arrays.Int32:
		return reflect.ValueOf(b.Int32())
	case arrays.Int64:
		return reflect.ValueOf(b.Int64())
	case arrays.Float32:
		return reflect.ValueOf(b.Float32())
	case arrays.Float64:
		return reflect.ValueOf(b.Float64())
	}
	return reflect.ValueOf(b.Uint8())
}

// plain reports whether a type is one of Go's numbers that a dtype has.
func plain(t reflect.Type) bool {
	_, ok := managedDTypes[t.Kind()]
	return ok && t.PkgPath() == ""
}
