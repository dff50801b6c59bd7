//go:build !nocuda

package nvrtc

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
)

// TestPrintf runs printf of CUDA C; what it must print follows from the words of the C standard.
func TestPrintf(t *testing.T) {
	needsNVRTC(t)
	fs, err := Kernels(`
__constant__ float weights[4] = {1.0f, 0.5f, 0.25f, 0.125f};
__global__ void k(const float *x, long long n) {
	int i = threadIdx.x;
	unsigned char c = 'a' + i;
	printf("%d%c %s: %f of %lld, %5.2e|%u\n", i, c, "x", x[i] * weights[i], n, (double)x[i], i * 1000u);
	if (i == 1) printf("only thread %d\n", i);
}`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "0a x: 1.500000 of 77, 1.50e+00|0\n1b x: -1.000000 of 77, -2.00e+00|1000\n2c x: 25.000000 of 77, 1.00e+02|2000\nonly thread 1\n"
	for _, f := range []*kir.Func{fs[0], opt.Optimize(fs[0])} {
		p, err := cpu.Compile(f)
		if err != nil {
			t.Fatal(err)
		}
		m := cpu.NewMemory()
		m.Map(1<<32, view([]float32{1.5, -2, 100}))
		params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, 1<<32), 77)
		var out strings.Builder
		if _, err := p.Run(context.Background(), cpu.Launch{Grid: kir.D1(1), Block: kir.D1(3), Params: params, Memory: m, Output: &out}); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("printed\n%s\nnot\n%s", out.String(), want)
		}
	}
}
