package cudabackend

import (
	"strings"
	"testing"
)

// What is wrong outside the program is one line each: the call that failed, the name and number of its result, and one
// remedy.
func TestWhatIsWrongHasARemedy(t *testing.T) {
	for _, c := range []struct {
		what, call string
		result     int32
		want       []string
	}{
		{"a driver too old for the PTX", "cuModuleLoadDataEx", 222, []string{"CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222)", "update it"}},
		{"a card that is gone when it is opened", "cuDeviceGet", 101, []string{"CUDA_ERROR_INVALID_DEVICE (101)", "nvidia-smi"}},
		{"a card that falls off the bus", "cuMemcpyDtoHAsync_v2", 719, []string{"CUDA_ERROR_LAUNCH_FAILED (719)", "restarted"}},
		{"memory that another process took", "cuMemAllocAsync", 2, []string{"cuda:0 is out of memory", "needed", "free"}},
		{"pinned memory that there is none of", "cuMemHostAlloc", 2, []string{"CUDA_ERROR_OUT_OF_MEMORY (2)", "end other programs"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			library.Reset(1, 64*mb, 12040, 1)
			if err := initAgain(); err != nil {
				t.Fatal(err)
			}
			library.Fail(c.call, 0, c.result)
			defer library.Fail("", 0, 0)
			err := everything(t)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in: %v", want, err)
				}
			}
		})
	}
}
