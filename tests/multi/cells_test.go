package multi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/tests/internal/published"
)

// TestFaultsInCells: what goes wrong on several devices is an error of its cell that says what, where and what to do;
// variables have the values that they had, and the next cell goes on.
func TestFaultsInCells(t *testing.T) {
	use(t)
	s, err := published.New()
	require.NoError(t, err)
	defer s.Close()
	defer offload.Preset("default")
	run := func(src string) string {
		text, err := s.Cell(src)
		require.NoError(t, err)
		return text
	}
	run("np.Use(\"sim:v100x8\")\nkept := np.Arange(3000)*2.0\nnp.Eval(kept)")
	run(`func beyond(x []float32) {
	i := gpu.GlobalID()
	x[i+1] = 1
}`)
	const added = "float64((kept + 1.0).Sum())"
	want := run(added)
	for _, c := range []struct {
		name, before, cell string
		says               []string
	}{
		{"a device named twice", "", `np.Use("sim:v100x8#1", "sim:v100x8#1")`, []string{"sim:v100x8#1 is named twice; name each device once"}},
		{"a device that is not there", "", `np.Use("sim:v100x8#8")`, []string{"has 8 GPUs, numbers 0 to 7"}},
		{"a policy that panics", `offload.Policy(func(c offload.Candidates) int { panic("no idea") })`, "np.Eval(np.Sqrt(kept) + 1.0)", []string{"policy", "no idea"}},
		{"a policy that returns -1", `offload.Policy(func(c offload.Candidates) int { return -1 })`, "np.Eval(np.Sqrt(kept) + 2.0)", []string{"policy", "-1"}},
		{"a policy that evaluates", `offload.Policy(func(c offload.Candidates) int { np.Eval(kept * 3.0); return 0 })`, "np.Eval(np.Sqrt(kept) + 3.0)", []string{"placement policy asks for elements of a lazy array while it runs"}},
		{"a kernel that traps on GPU 5", `offload.Policy(func(c offload.Candidates) int { return 5 })`, "gpu.Launch(beyond, 1, 32, zeros32(32))", []string{"sim:v100x8#5", "cell 3, line 3", "kernel beyond", "x[i + 1]"}},
	} {
		run("offload.Preset(\"default\")\noffload.MaxTiles(1)\n" + c.before)
		_, err := s.Cell(c.cell)
		if assert.Error(t, err, c.name) {
			t.Logf("%s: %v", c.name, err)
			for _, part := range c.says {
				assert.ErrorContains(t, err, part, c.name)
			}
		}
		run("offload.Preset(\"default\")")
		assert.Equal(t, want, run(added), c.name)
	}
	run("np.Use(\"sim:v100x8#0\", \"sim:a100x8#0\")") // of two machines
	run(`offload.Policy("round-robin")`)
	assert.Equal(t, want, run("float64((np.Sqrt(kept*kept) + 1.0).Sum())"))
}
