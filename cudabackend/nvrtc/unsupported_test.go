//go:build !nocuda

package nvrtc

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

// What no kernel here can have is said with its line of CUDA C, not as an error of PTX's syntax.
func TestNotSupported(t *testing.T) {
	if _, _, err := Version(); err != nil {
		judges.Missing(t, "%v", err)
	}
	for source, want := range map[string][]string{
		"// groups\n#include <cooperative_groups.h>\n__global__ void k(float *x) { cooperative_groups::this_grid().sync(); }\n": {"line 2", "cooperative_groups.h", "__syncthreads()"},
		"#include <cooperative_groups/reduce.h>\n__global__ void k(float *x) {}\n":                                              {"line 1", "cooperative_groups/reduce.h"},
		"__global__ void k(cudaTextureObject_t t, float *x) {\n\n\tx[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);\n}\n":    {"cuda(3)", "x[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);", "textures"},
		"texture<float, 1> t;\n__global__ void k(float *x) { x[0] = tex1D(t, 1.0f); }\n":                                        {"line 1", "texture<"},
		"__global__ void k(cudaSurfaceObject_t s, float *x) {\n\tfloat v;\n\tsurf1Dread(&v, s, 4);\n\tx[0] = v;\n}\n":           {"cuda(3)", "surf1Dread(&v, s, 4);", "surfaces"},
		"__global__ void k(float *x) {\n\tasm volatile(\"mbarrier.init.shared.b64 [%0], 1;\" :: \"r\"(0));\n}\n":                {"cuda(2)", "mbarrier", "barriers in shared memory"},
	} {
		_, err := Kernels(source, Options{Name: "cuda"})
		require.Error(t, err, source)
		assert.Contains(t, err.Error(), "not supported")
		assert.NotContains(t, err.Error(), "PTX")
		for _, part := range want {
			assert.Contains(t, err.Error(), part)
		}
	}
	_, err := Kernels("#include <nowhere.h>\n__global__ void k(float *x) {}\n", Options{})
	assert.ErrorContains(t, err, "could not open", "others are the compiler's")
}
