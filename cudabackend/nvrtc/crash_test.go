//go:build !nocuda

package nvrtc

import (
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/procs"
)

// waitForEnd is how long a killed process may take to go on a busy machine.
const waitForEnd = time.Minute

const good = "extern \"C\" __global__ void k(int *x) { x[threadIdx.x] = 1; }\n"

// TestSourcesThatCrashTheCompiler: a source that is nested very deep is compiled or is an error, and so is one that
// ends the compiler's process; the next is compiled. What is said of a text that C cannot have names the line.
func TestSourcesThatCrashTheCompiler(t *testing.T) {
	if _, _, err := Version(); err != nil {
		judges.Missing(t, "%v", err)
	}
	next := func() {
		t.Helper()
		text, err := Compile(good, Options{})
		require.NoError(t, err)
		assert.Contains(t, text, ".entry k")
	}
	for _, c := range [][2]string{{"(", ")"}, {"~", ""}, {"-", ""}, {"{", "}"}} {
		const times = 3000
		Compile("__global__ void k(int *x) {\n\tx[1] = "+strings.Repeat(c[0], times)+"1"+strings.Repeat(c[1], times)+";\n}", Options{})
		next()
	}
	_, err := Compile(slow(), Options{Poll: func() { procs.Kill(procs.Below(procs.List(), os.Getpid())) }})
	assert.ErrorContains(t, err, "CUDA C: NVIDIA's compiler ended itself while it compiled cell.cu: a source that is nested very deep")
	next()
	for source, want := range map[string]string{
		"\n\ncaf\xe9":            "CUDA C: cell.cu(3): the text is not UTF-8",
		"\n// �\n\xff":           "CUDA C: cell.cu(3): the text is not UTF-8",
		"\n// \x00\n" + good:     "CUDA C: cell.cu(2): there is a zero byte",
		"#error \x1b[31m" + good: "#error \\x1b[31m",
	} {
		_, err := Compile(source, Options{})
		assert.ErrorContains(t, err, want)
	}
}

// slow is a source that takes long.
func slow() string {
	return "__global__ void k(int *x) {" + strings.Repeat("x[threadIdx.x] = x[threadIdx.x] * 3 + x[threadIdx.x + 1];\n", 20_000) + "}"
}

// TestInterruptedCompiler: a panic of Poll ends the compiler's process, and the next source has another.
func TestInterruptedCompiler(t *testing.T) {
	if _, _, err := Version(); err != nil {
		judges.Missing(t, "%v", err)
	}
	assert.PanicsWithValue(t, "interrupted", func() {
		Compile(slow(), Options{Poll: func() { panic("interrupted") }})
	})
	require.Eventually(t, func() bool {
		return len(procs.Below(procs.List(), os.Getpid())) == 0
	}, waitForEnd, waitForEnd/1000)
	_, err := Compile(good, Options{})
	require.NoError(t, err)
	assert.Len(t, procs.Below(procs.List(), os.Getpid()), 1, "one is kept")
}

// TestCompilersAtTheSameTime: sources that are compiled at the same time do not wait for each other, and one process is
// kept.
func TestCompilersAtTheSameTime(t *testing.T) {
	if _, _, err := Version(); err != nil {
		judges.Missing(t, "%v", err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 3 {
				_, err := Compile(good, Options{})
				assert.NoError(t, err)
			}
		})
	}
	all.Wait()
	require.Eventually(t, func() bool { return len(procs.Below(procs.List(), os.Getpid())) == 1 }, waitForEnd, waitForEnd/1000)
}
