package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestKernelCalls(t *testing.T) {
	for _, call := range []string{"gpu.Launch(f, 1, 32)", "gpu.Accesses(f, 1, 4)", "puzzle.Check(1, f)", "np.Map(f, x)", "lazy.Reduce(f, x)", "dp.Op(f)"} {
		assert.True(t, givesKernels([]byte("x := "+call)), call)
	}
	assert.True(t, givesKernels([]byte(`import "github.com/arrayrepl/arrayrepl/gpu"; s.Launch(f, 1, 32)`)))
	assert.True(t, givesKernels([]byte(`import "github.com/arrayrepl/arrayrepl/gpu/brook"; s.Map(f, x)`)))
	for _, call := range []string{"maps.Map(f)", "x.Check(1)", "gpu.Blocks(1, 2)", "strings.Map(f, s)"} {
		assert.False(t, givesKernels([]byte("x := "+call)), call)
	}
}
