package gpu_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/cudabackend/nvrtc"
	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/lifted"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// liftedKernel returns a kernel of package lifted.
func liftedKernel(t *testing.T, name string, fn any) *gosrc.Func {
	t.Helper()
	return kernelOf(t, "./internal/lifted", name, fn)
}

// The same in CUDA C, where const and __restrict__ say what Go's compiler sees when a launch has its arguments.
const liftedCUDA = `
#define GID (blockIdx.x * blockDim.x + threadIdx.x)
extern "C" __global__ void Looped(float *y, const float *x, int n) {
	int i = GID; float s = 0;
	for (int j = 0; j < 8; j++) s += x[i + j * n];
	y[i] = s;
}
extern "C" __global__ void Lifted(float *y, const float *x, int n) {
	int i = GID; float s = 0;
	float a = x[i], b = x[i+n], c = x[i+2*n], d = x[i+3*n], e = x[i+4*n], f = x[i+5*n], g = x[i+6*n], h = x[i+7*n];
	s += a; s += b; s += c; s += d; s += e; s += f; s += g; s += h;
	y[i] = s;
}
extern "C" __global__ void LoopedCopy(float *__restrict__ y, const float *__restrict__ x, int n) {
	int i = GID;
	for (int j = 0; j < 4; j++) y[i + j * n] = x[i + j * n];
}
extern "C" __global__ void LiftedCopy(float *y, const float *x, int n) {
	int i = GID;
	float a = x[i], b = x[i+n], c = x[i+2*n], d = x[i+3*n];
	y[i] = a; y[i+n] = b; y[i+2*n] = c; y[i+3*n] = d;
}
extern "C" __global__ void LoopedGather(float *y, const float *x, const int *at, int n) {
	int i = GID; float s = 0;
	for (int j = 0; j < 4; j++) s += x[at[i + j * n]];
	y[i] = s;
}
extern "C" __global__ void LiftedGather(float *y, const float *x, const int *at, int n) {
	int i = GID; float s = 0;
	int k = at[i], l = at[i+n], m = at[i+2*n], o = at[i+3*n];
	float a = x[k], b = x[l], c = x[m], d = x[o];
	s += a; s += b; s += c; s += d;
	y[i] = s;
}
extern "C" __global__ void MaybeTheSame(float *y, const float *x, int n) {
	int i = GID;
	for (int j = 0; j < 4; j++) y[i + j * n] = x[i + j * n];
}
`

// liftedPTX is Looped of a compiler that leaves its loop to that of the machine.
const liftedPTX = `.version 7.5
.target sm_75
.address_size 64
.visible .entry Looped(.param .u64 y, .param .u64 x, .param .u32 n)
{
	.reg .pred %p<2>;
	.reg .f32 %f<3>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd1, [y];
	ld.param.u64 %rd2, [x];
	ld.param.u32 %r1, [n];
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mov.u32 %r4, %tid.x;
	mad.lo.s32 %r5, %r2, %r3, %r4;
	mul.wide.s32 %rd3, %r5, 4;
	add.s64 %rd4, %rd2, %rd3;
	mul.wide.s32 %rd5, %r1, 4;
	mov.f32 %f1, 0f00000000;
	mov.u32 %r6, 0;
LOOP:
	ld.global.f32 %f2, [%rd4];
	add.rn.f32 %f1, %f1, %f2;
	add.s64 %rd4, %rd4, %rd5;
	add.u32 %r6, %r6, 1;
	setp.lt.u32 %p1, %r6, 8;
	@%p1 bra LOOP;
	add.s64 %rd6, %rd1, %rd3;
	st.global.f32 [%rd6], %f1;
	ret;
}
`

// TestLoopedLoadsOverlap: a loop whose rounds load takes the time of the same with its loads written first, in each
// language and on each machine, within 15 %, with blocks of 64 threads and of 128; without scheduling it pays a latency
// for each load. For copies with 128 threads, and for those of C's compiler, the oldest machine has not the registers
// without fewer blocks on an SM.
func TestLoopedLoadsOverlap(t *testing.T) {
	testsize.InTurn(t, 1)
	const n = 4 * 64
	y, x, at := make([]float32, 8*n), make([]float32, 8*n), make([]int32, 8*n)
	for i := range at {
		at[i], x[i] = int32(i*7%n), float32(i%100)
	}
	type language struct {
		name string
		of   func(name string) any
	}
	goKernels := map[string]any{}
	for name, fn := range map[string]any{"Looped": lifted.Looped, "Lifted": lifted.Lifted, "LoopedCopy": lifted.LoopedCopy, "LiftedCopy": lifted.LiftedCopy,
		"LoopedGather": lifted.LoopedGather, "LiftedGather": lifted.LiftedGather} {
		goKernels[name] = liftedKernel(t, name, fn)
	}
	languages := []language{{"Go", func(name string) any { return goKernels[name] }}}
	if _, err := nvrtc.Compile(liftedCUDA, nvrtc.Options{}); err == nil {
		m := gpu.CUDA(liftedCUDA)
		languages = append(languages, language{"CUDA C", func(name string) any { return m.Kernel(name) }})
	} else {
		t.Log("without CUDA C:", err)
	}
	threads := 64
	run := func(t *testing.T, kernel any, gather bool, o ...any) *gpu.Report {
		clear(y)
		args := []any{y, x}
		if gather {
			args = append(args, at)
		}
		return gpu.Launch(kernel, n/threads, threads, append(append(args, n), o...)...)
	}
	for _, p := range simgpu.Names() {
		preset, err := simgpu.PresetByName(p)
		require.NoError(t, err)
		if preset.InOrder || preset.GPUs > 1 {
			continue
		}
		use(t, p)
		for _, l := range languages {
			for i, pair := range [][2]string{{"Looped", "Lifted"}, {"LoopedCopy", "LiftedCopy"}, {"LoopedGather", "LiftedGather"},
				{"Looped", "Lifted"}, {"LoopedCopy", "LiftedCopy"}, {"LoopedGather", "LiftedGather"}} {
				if threads = 64 + 64*(i/3); p == "sim:g80" && threads == 128 && (pair[0] == "LoopedCopy" || l.name == "CUDA C") {
					continue
				}
				name, gather := fmt.Sprint(p, ", ", l.name, ", ", pair[0], ", ", threads), pair[0] == "LoopedGather"
				looped := run(t, l.of(pair[0]), gather)
				want := append([]float32{}, y...)
				slow := run(t, l.of(pair[0]), gather, gpu.Unscheduled())
				assert.Equal(t, want, y, "%s: other results without scheduling", name)
				hand := run(t, l.of(pair[1]), gather)
				assert.Equal(t, want, y, "%s: other results by hand", name)
				assert.InEpsilon(t, float64(hand.Time()), float64(looped.Time()), 0.15, name)
				assert.Greater(t, float64(slow.Time()), 1.05*float64(looped.Time()), name)
				assert.Equal(t, slow.Stats().WarpInstructions, looped.Stats().WarpInstructions, name)
				assert.Equal(t, slow.Stats().ResidentBlocks, looped.Stats().ResidentBlocks, "%s: registers take blocks from an SM", name)
			}
		}
		threads = 64
		inPTX := run(t, gpu.PTX(liftedPTX), false)
		assert.Greater(t, float64(run(t, gpu.PTX(liftedPTX), false, gpu.Unscheduled()).Time()), 1.05*float64(inPTX.Time()), "%s, PTX", p)
		if len(languages) > 1 { // indices have 32 bits there
			assert.InEpsilon(t, float64(run(t, languages[1].of("Lifted"), false).Time()), float64(inPTX.Time()), 0.15, "%s, PTX", p)
		}
	}
}

// TestLoadsStayBehindStoresToTheSameMemory: with one array as both arguments, or where CUDA C does not say that there
// are two, each load waits for the store before it, as without scheduling.
func TestLoadsStayBehindStoresToTheSameMemory(t *testing.T) {
	use(t, "sim:v100")
	const n = 1024
	k := liftedKernel(t, "LoopedCopy", lifted.LoopedCopy)
	y, x := make([]float32, 4*n), make([]float32, 4*n)
	apart, same := gpu.Launch(k, n/64, 64, y, x, n), gpu.Launch(k, n/64, 64, y, y, n)
	slow := gpu.Launch(k, n/64, 64, y, y, n, gpu.Unscheduled())
	assert.Greater(t, float64(same.Time()), 2.5*float64(apart.Time()))
	assert.InEpsilon(t, float64(slow.Time()), float64(same.Time()), 0.1)
	if _, err := nvrtc.Compile(liftedCUDA, nvrtc.Options{}); err != nil {
		t.Skip("without CUDA C:", err)
	}
	m := gpu.CUDA(liftedCUDA)
	said, unsaid := gpu.Launch(m.Kernel("LoopedCopy"), n/64, 64, y, x, n), gpu.Launch(m.Kernel("MaybeTheSame"), n/64, 64, y, x, n)
	assert.Greater(t, float64(unsaid.Time()), 2.5*float64(said.Time()))
}

// TestFailuresOfScheduledKernels: the error is that of the first index that is wrong in the order of the program, at
// its line, though on the machine the tests of all rounds come first.
func TestFailuresOfScheduledKernels(t *testing.T) {
	const n = 64
	k := liftedKernel(t, "LoopedGather", lifted.LoopedGather)
	for _, d := range []string{"host", "sim:v100", "sim:gtx480"} {
		use(t, d)
		at := make([]int32, 4*n)
		at[n+3], at[2*n+2] = 1000, 2000 // the second round of thread 3 comes before the third of thread 2
		func() {
			defer func() {
				err, ok := recover().(error)
				require.True(t, ok, d)
				assert.Contains(t, err.Error(), "index 1000 is out of range", d)
				assert.Contains(t, err.Error(), "lifted.go:57", d)
			}()
			gpu.Launch(k, 1, n, make([]float32, n), make([]float32, n), at, n)
		}()
	}
}
