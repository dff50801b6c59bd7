package puzzle

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/puzzle/internal/answers"
	"github.com/arrayrepl/arrayrepl/gpu/puzzle/internal/wrong"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/gosrc/load"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

func use(t *testing.T, name string) {
	t.Helper()
	r := new(device.Registry)
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	r.AddFamily("sim:", nil, new(simgpu.Machines).Open)
	rt, err := offload.New(r, name)
	require.NoError(t, err)
	lazy.Wiring{}.SetRuntime(rt)
	t.Cleanup(func() { lazy.Wiring{}.SetRuntime(nil) })
}

// TestAnswers: every solution solves its puzzle on two devices, within its limit.
func TestAnswers(t *testing.T) {
	testsize.InTurn(t, 2)
	require.Len(t, all, Count)
	require.Len(t, answers.All(), Count)
	for _, device := range []string{"host", "sim:tiny"} {
		use(t, device)
		for i, a := range answers.All() {
			r := Check(i+1, a.Kernel)
			assert.True(t, r.Passed, "%s: %v", device, r)
			assert.Equal(t, all[i].limit != nil, strings.Contains(strings.Join(strings.Fields(r.String()), " "), "the limit is"))
			require.NotNil(t, r.Picture())
			assert.NoError(t, r.Picture().Err)
		}
	}
}

// TestMistakes: each wrong kernel fails with a message that names what is wrong, and where.
func TestMistakes(t *testing.T) {
	use(t, "host")
	p, err := load.Load(".", "./internal/wrong")
	require.NoError(t, err)
	of := map[int]int{}
	for _, w := range wrong.Kernels {
		fn, err := p.Func(w.Name)
		require.NoError(t, err)
		r := Check(w.Puzzle, gosrc.NewFunc(p.Source, fn, nil, w.Func))
		assert.False(t, r.Passed, w.Name)
		said := strings.Join(strings.Fields(r.String()), " ")
		for _, s := range append(w.Says, "not yet") {
			assert.Contains(t, said, s, w.Name)
		}
		of[w.Puzzle]++
	}
	for n := 1; n <= Count; n++ {
		assert.GreaterOrEqual(t, of[n], 3, "wrong kernels for puzzle %d", n)
	}
}

// TestShown: each task has its kernel's parameters, as the solution has them, a picture with reads and writes, and
// hints, of which none has the solution's code.
func TestShown(t *testing.T) {
	use(t, "host")
	for i, p := range all {
		n := i + 1
		code := string(Answer(n))
		assert.Contains(t, code, "("+p.params+")")
		assert.True(t, strings.HasPrefix(code, "func "))
		assert.Contains(t, Task(n), "("+p.params+")")
		c := Show(n)
		require.NoError(t, c.Err)
		assert.Contains(t, c.String(), "read")
		assert.GreaterOrEqual(t, len(p.hints), 2)
		for k := range p.hints {
			h := Hint(n)
			assert.Equal(t, k == len(p.hints)-1, strings.Contains(h, "Answer"))
			for _, line := range strings.Split(code, "\n")[1:] {
				if line = strings.TrimSpace(line); len(line) > 20 && !strings.Contains(line, "gpu.Shared") {
					assert.NotContains(t, h, line)
				}
			}
		}
	}
	assert.PanicsWithError(t, "there is no puzzle 16: they have the numbers 1 to 15", func() { Show(16) })
	assert.Panics(t, func() { Check(1, 3) })
}

// TestLimits: what a solution costs is counted on the same machine whatever device is in use.
func TestLimits(t *testing.T) {
	use(t, "host")
	a := answers.All()[5]
	first := Check(6, a.Kernel).String()
	use(t, "sim:g80")
	assert.Equal(t, first, Check(6, a.Kernel).String())
	assert.Contains(t, first, "1024 sectors")
	assert.IsType(t, &gpu.Error{}, func() (e any) {
		defer func() { e = recover() }()
		Check(1, func() {})
		return nil
	}())
}
