package kernels_test

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// useV100 has launches of the test run on a simulated V100.
func useV100(t *testing.T) {
	r := new(device.Registry)
	r.Add("sim:v100", func() (device.Device, error) { return simgpu.Open("sim:v100") })
	rt, err := offload.New(r, "sim:v100")
	if err != nil {
		t.Fatal(err)
	}
	lazy.Wiring{}.SetRuntime(rt)
	t.Cleanup(func() { lazy.Wiring{}.SetRuntime(nil) })
}

// The lines of a launch's table are those of the kernel's file, and the costs stand at the right ones.
func TestLinesOfTheSource(t *testing.T) {
	useV100(t)
	data, err := os.ReadFile("basics.go")
	if err != nil {
		t.Fatal(err)
	}
	source := strings.Split(string(data), "\n")
	for _, c := range []struct {
		name, line string // the line that writes to global memory
		used       float64
		conflicts  bool
	}{
		// reads use all of a sector, writes 4 bytes of 32: 8 of 36
		{"Transpose", "out[x*h+y] = in[y*w+x]", 0.22, false},
		{"TransposeTiled", "", 1, true},
		{"TransposePadded", "", 1, false},
	} {
		f, err := kernels.Source(c.name)
		if err != nil {
			t.Fatal(err)
		}
		const n = 64
		in, out := make([]float32, n*n), make([]float32, n*n)
		lines := gpu.Launch(f, gpu.Grid(n/32, n/32), gpu.Block(32, 32), in, out, n, n).Lines()
		if lines == nil || !strings.Contains(lines.String(), "func "+c.name) {
			t.Fatalf("%s: %v", c.name, lines)
		}
		share, conflicts := 0.0, int64(0)
		for _, l := range lines.List {
			share, conflicts = share+l.Share, conflicts+l.Conflicts
			place := strings.Split(l.Pos, ":")
			if len(place) == 2 && l.Text != "" {
				found := false
				for i, text := range source {
					found = found || strings.TrimSpace(text) == strings.TrimSpace(l.Text) && place[1] == strconv.Itoa(i+1)
				}
				if !found {
					t.Errorf("%s: %s is not %q", c.name, l.Pos, l.Text)
				}
			}
			if c.line != "" && strings.Contains(l.Text, c.line) && math.Abs(l.Efficiency()-c.used) > 0.01 {
				t.Errorf("%s: %.2f of the sectors are used, want %.2f", c.name, l.Efficiency(), c.used)
			}
		}
		if math.Abs(share-1) > 1e-9 || (conflicts > 0) != c.conflicts {
			t.Errorf("%s: shares add up to %g, %d conflicts", c.name, share, conflicts)
		}
	}
}

// Lines whose source holds a text, added up: a block of 256 meets at 1 + log2(256) barriers, its eight warps each time,
// and 5 turns of the loop (16 to 1 threads) part its first warp (cuda-scan-brook.md A.3).
func TestLinesAddedUp(t *testing.T) {
	useV100(t)
	f, err := kernels.Source("PlusReduce")
	if err != nil {
		t.Fatal(err)
	}
	const blocks, warps = 4, 8
	report := gpu.Launch(f, blocks, 256, make([]int32, 256*blocks), make([]int32, 1))
	lines := report.Lines()
	if e := report.Log().Kernels(); len(e) != 1 || e[0].Name != "PlusReduce" || e[0].Stats != report.Stats() || e[0].Duration() != report.Time() {
		t.Errorf("the launch's log has %+v", e)
	}
	if c := lines.Of("gpu.Sync()"); c.Issued != 9*warps*blocks || c.Active != 1 || c.Share <= 0 {
		t.Errorf("barriers: %+v", c)
	}
	if c := lines.Of("if tx < h"); c.Parted != 5*blocks {
		t.Errorf("the loop's branch: %+v", c)
	}
	if c := lines.Of("total[0]"); c.Requests != blocks || c.Active != 1.0/32 {
		t.Errorf("atomics: %+v", c)
	}
	var none *gpu.Lines
	for _, c := range []gpu.LineCost{lines.Of("not there"), none.Of("gpu.Sync()")} {
		if c.Issued != 0 || c.Active != 0 || c.Share != 0 {
			t.Errorf("nothing costs %+v", c)
		}
	}
	if all := lines.Of(""); math.Abs(all.Share-1) > 1e-9 {
		t.Errorf("all lines have a share of %g", all.Share)
	}
}

// A transpose through padded tiles is faster than through tiles whose columns lie in one bank, and than with strided
// writes, on an early machine and on one of today.
func TestPaddedTransposeIsTheFastest(t *testing.T) {
	testsize.InTurn(t, 2)
	r := new(device.Registry)
	for _, name := range []string{"sim:gtx480", "sim:v100"} {
		r.Add(name, func() (device.Device, error) { return simgpu.Open(name) })
	}
	rt, err := offload.New(r, "sim:v100")
	if err != nil {
		t.Fatal(err)
	}
	lazy.Wiring{}.SetRuntime(rt)
	defer lazy.Wiring{}.SetRuntime(nil)
	for _, name := range r.Names() {
		lazy.Use(name)
		padded := 0.0
		for _, kernel := range []string{"TransposePadded", "TransposeTiled", "Transpose"} {
			f, err := kernels.Source(kernel)
			if err != nil {
				t.Fatal(err)
			}
			const n = 512
			took := gpu.Launch(f, gpu.Grid(n/32, n/32), gpu.Block(32, 32), make([]float32, n*n), make([]float32, n*n), n, n).Time().Seconds()
			if kernel == "TransposePadded" {
				padded = took
			} else if took <= padded {
				t.Errorf("%s: %s takes %.3g s, padded %.3g", name, kernel, took, padded)
			}
		}
	}
}
