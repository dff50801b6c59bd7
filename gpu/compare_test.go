package gpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/lifted"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// A recorded launch takes on each machine, whatever the width of its warps, what a launch there takes with nothing in
// the caches.
func TestRecordedLaunchesTakeWhatLaunchesTake(t *testing.T) {
	testsize.InTurn(t, 0)
	use(t, "host")
	parting := liftedKernel(t, "Parting", lifted.Parting)
	machines := append(simgpu.Variants("tesla2009", simgpu.WithDivergence(simgpu.PDOM{}),
		simgpu.With(simgpu.WithDivergence(simgpu.DWF{}), simgpu.WithLanes(simgpu.Swizzle)), simgpu.WithDivergence(simgpu.MIMD{})),
		"sim:v100", "sim:gtx280", simgpu.Custom("fermisbi-64", simgpu.WithDivergence(simgpu.SBI{}), simgpu.WithCoIssue(simgpu.SWI{})),
		simgpu.Custom("fermivt", simgpu.WithCTAs(simgpu.VT{}), simgpu.Change(func(p *simgpu.Preset) { p.MaxBlocksPerSM, p.SMs = 1, 1 })), simgpu.Custom("fermisbi", simgpu.Change(func(p *simgpu.Preset) { p.WarpSize = 64 })))
	out := make([]int32, 2*768)
	c := gpu.Compare(gpu.Record(parting, 4, 384, out), machines...)
	assert.Equal(t, make([]int32, 2*768), out, "what the kernel writes is lost")
	for i, m := range machines {
		simgpu.ColdCaches()
		want := gpu.Launch(parting, 4, 384, out, gpu.On(m)).Stats()
		require.NoError(t, c.Rows[i].Err, m)
		got := c.Rows[i].Stats
		assert.Equal(t, want.Cycles, got.Cycles, m)
		assert.Equal(t, want.ThreadInstructions, got.ThreadInstructions, m)
		assert.Equal(t, want.Stalls, got.Stalls, m)
		assert.Equal(t, want.DRAMBytes, got.DRAMBytes, m)
	}
	assert.Less(t, c.Rows[1].Stats.Cycles, c.Rows[0].Stats.Cycles, "DWF")
	assert.Less(t, c.Rows[2].Stats.Cycles, c.Rows[1].Stats.Cycles, "MIMD")
	text := c.String()
	assert.Contains(t, text, "dwf, dmaj, lanes swizzle")
	assert.Equal(t, 1, strings.Count(text, "←"))
	html := fmt.Sprint(c.MIMEBundle().Data["text/html"])
	assert.Equal(t, 7, strings.Count(html, "font-weight:bold"), "a row")
}

// A kernel that relies on lanes that go together has the error in the rows of machines that form other warps, and is
// timed on the others.
func TestComparisonsRefuseLockstep(t *testing.T) {
	rec := gpu.Record(liftedKernel(t, "Tail", lifted.Tail), 1, 32, make([]int32, 32))
	c := gpu.Compare(rec, simgpu.Variants("tesla2009", simgpu.WithDivergence(simgpu.PDOM{}), simgpu.WithDivergence(simgpu.DWF{}),
		simgpu.WithDivergence(simgpu.MIMD{}))...)
	assert.NotNil(t, c.Rows[0].Stats)
	for _, row := range c.Rows[1:] {
		var order *simgpu.OrderError
		require.ErrorAs(t, row.Err, &order, row.Machine)
		assert.Equal(t, "Tail", order.Kernel)
		assert.Regexp(t, `lifted.go:\d+:\d+, s\[t \+ d\], reads s\[16\].*lifted.go:\d+:\d+, s\[t\], writes(.|\n)*gpu.SyncWarp`, order.Error())
	}
}

type stubborn struct{}

func (stubborn) Name() string { return "stubborn" }

func (stubborn) Pick(_ int64, c []simgpu.Cand, _ *simgpu.Env) int { return len(c) }

// What a policy does wrong is in its row, and the others have their times; what has no one answer is refused.
func TestComparisonsRefuse(t *testing.T) {
	use(t, "host")
	parting, printing, clocked := liftedKernel(t, "Parting", lifted.Parting), liftedKernel(t, "Printing", lifted.Printing), liftedKernel(t, "Clocked", lifted.Clocked)
	out := make([]int32, 512)
	rec := gpu.Record(parting, 2, 256, out)
	c := gpu.Compare(rec, simgpu.Variants("tesla2009", simgpu.WithDivergence(simgpu.DWF{Policy: stubborn{}}), simgpu.WithDivergence(simgpu.PDOM{}))...)
	var policy *simgpu.PolicyError
	require.ErrorAs(t, c.Rows[0].Err, &policy)
	assert.Equal(t, "stubborn", policy.Policy)
	assert.Contains(t, policy.Error(), "number 0 at PC 0")
	assert.NotNil(t, c.Rows[1].Stats)
	assert.Equal(t, 1, c.Best())
	for says, f := range map[string]func(){
		"prints, which is another thing on each machine": func() { gpu.Record(printing, 1, 32, out) },
		"reads a clock": func() { gpu.Record(clocked, 1, 32, make([]int64, 32)) },
		`the issue policy "stubborn"`: func() {
			gpu.Compare(rec, simgpu.Custom("tesla2009", simgpu.WithDivergence(simgpu.DWF{Policy: stubborn{}})))
		},
		"no machine is named":       func() { gpu.Compare(rec) },
		"not a simulated":           func() { gpu.Compare(rec, "host") },
		"there is no simulated GPU": func() { gpu.Compare(rec, "sim:none") },
		"the recording is nil":      func() { gpu.Compare(nil, "sim:v100") },
		"takes 1 argument":          func() { gpu.Record(parting, 1, 32) },
	} {
		func() {
			defer func() { assert.Contains(t, fmt.Sprint(recover()), says) }()
			f()
		}()
	}
}

// A recording that is too large says what the limit is and how large it would have been; others go on.
func TestRecordingsThatAreTooLarge(t *testing.T) {
	use(t, "host")
	parting := liftedKernel(t, "Parting", lifted.Parting)
	small := gpu.Record(parting, 1, 32, make([]int32, 32))
	defer gpu.BoundRecordings(1 << 20)()
	large := gpu.Record(parting, 2048, 512, make([]int32, 2048*512))
	func() {
		defer func() {
			err, ok := recover().(*gpu.Error)
			require.True(t, ok)
			assert.Regexp(t, `kernel Parting: the recording takes more than 1 MB, about \d+ MB for all of its 2048 blocks: record fewer blocks`, err.Error())
			var tape *cpu.TapeTooLarge
			require.ErrorAs(t, err, &tape)
			assert.EqualValues(t, 1<<20, tape.Limit)
			assert.Greater(t, tape.Bytes, tape.Limit)
		}()
		gpu.Compare(gpu.Recordings{small, large}, "sim:v100", "sim:fermivt")
	}()
	assert.NotNil(t, gpu.Compare(small, "sim:v100").Rows[0].Stats)
}
