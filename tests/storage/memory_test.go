//go:build unix

package storage

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// largeSize is how many elements the file has whose computations are measured: 128 MiB, 16 times the budget.
const largeSize = 1 << 24

// large are computations of a file, whose results are small. Each either stays within the budget and 64 MB more, or is
// refused by name before it reads.
var large = map[string]func(x *lazy.Array) *lazy.Array{
	"pad":              func(x *lazy.Array) *lazy.Array { return lazy.Pad(x, []int{3}, []int{4}, 1).Sum() },
	"pad edge":         func(x *lazy.Array) *lazy.Array { return lazy.Pad(x, []int{3}, []int{4}, lazy.PadEdge).Sum() },
	"pad rows":         func(x *lazy.Array) *lazy.Array { return lazy.Pad(wide(x), []int{1}, []int{1}, lazy.PadReflect).Sum() },
	"insert":           func(x *lazy.Array) *lazy.Array { return lazy.Insert(x, 5, 7).Sum() },
	"insert rows":      func(x *lazy.Array) *lazy.Array { return lazy.Insert(wide(x), 5, 7, lazy.Axis(0)).Sum() },
	"delete slice":     func(x *lazy.Array) *lazy.Array { return lazy.Delete(x, lazy.S(5, 12345)).Sum() },
	"delete rows":      func(x *lazy.Array) *lazy.Array { return lazy.Delete(wide(x), []int{5, -3}, lazy.Axis(0)).Sum() },
	"delete":           func(x *lazy.Array) *lazy.Array { return lazy.Delete(x, 5).Sum() },
	"unwrap":           func(x *lazy.Array) *lazy.Array { return lazy.Unwrap(x) },
	"trim zeros":       func(x *lazy.Array) *lazy.Array { return lazy.TrimZeros(x).Sum() },
	"trim ends":        func(x *lazy.Array) *lazy.Array { return lazy.TrimZeros(x.Add(1)).Sum() },
	"where":            func(x *lazy.Array) *lazy.Array { return lazy.Where(x.Greater(1), x, x.Neg()).Sum() },
	"arg where":        func(x *lazy.Array) *lazy.Array { return lazy.ArgWhere(x.Greater(1)).Sum() },
	"arg where of all": func(x *lazy.Array) *lazy.Array { return lazy.ArgWhere(x.Less(1)).Sum() },
	"choose":           func(x *lazy.Array) *lazy.Array { return lazy.Choose(x.AsType(lazy.Int64), 1, 2).Sum() },
	"choose of file": func(x *lazy.Array) *lazy.Array {
		return lazy.Choose(lazy.Arange(2).AsType(lazy.Int64).Reshape(2, 1), x, x.Add(1)).Sum()
	},
	"select": func(x *lazy.Array) *lazy.Array {
		return lazy.Select([]any{x.Greater(1), x.Less(0)}, []any{x, x.Neg()}, 3).Sum()
	},
	"compress":     func(x *lazy.Array) *lazy.Array { return lazy.Extract(x.Greater(-1), x).Sum() },
	"compress few": func(x *lazy.Array) *lazy.Array { return lazy.Extract(x.Greater(1), x).Sum() },
	"compress rows": func(x *lazy.Array) *lazy.Array {
		return lazy.Compress(lazy.Arange(largeSize/64).Mod(2).Equal(0), wide(x), lazy.Axis(0)).Sum()
	},
	"sort columns": func(x *lazy.Array) *lazy.Array { // more than what lies between two steps may take
		return lazy.Sort(x.At(lazy.S(0, largeSize*3/8)).Reshape(largeSize*3/32, 4), lazy.Axis(0)).Sum()
	},
	"histogram 2-D": func(x *lazy.Array) *lazy.Array {
		some := x.At(lazy.S(0, largeSize/4))
		c, _, _ := lazy.Histogram2D(some, some.Mul(2), []int{10, 20})
		return c
	},
	"histogram": func(x *lazy.Array) *lazy.Array { c, _ := lazy.Histogram(x, 10); return c },
	"histogram weights": func(x *lazy.Array) *lazy.Array {
		c, _ := lazy.Histogram(x, 10, lazy.Weights(x))
		return c
	},
	"histogram edges": func(x *lazy.Array) *lazy.Array { return lazy.HistogramBinEdges(x, 10) },
	"histogram auto":  func(x *lazy.Array) *lazy.Array { return lazy.HistogramBinEdges(x, "auto") },
	"bincount":        func(x *lazy.Array) *lazy.Array { return lazy.BinCount(x.AsType(lazy.Int64)) },
	"digitize":        func(x *lazy.Array) *lazy.Array { return lazy.Digitize(x, []float64{1, 2}).Sum() },
	"search sorted":   func(x *lazy.Array) *lazy.Array { return lazy.SearchSorted(x, []float64{1, 2}) },
	"searched":        func(x *lazy.Array) *lazy.Array { return lazy.SearchSorted([]float64{1, 2}, x).Sum() },
	"polyfit":         func(x *lazy.Array) *lazy.Array { return lazy.PolyFit(x, x.Mul(2), 1) },
	"polyval":         func(x *lazy.Array) *lazy.Array { return lazy.PolyVal([]float64{1, 2}, x).Sum() },
	"QR":              func(x *lazy.Array) *lazy.Array { _, r := lazy.QR(wide(x)); return r },
	"SVD":             func(x *lazy.Array) *lazy.Array { _, s, _ := lazy.SVD(wide(x)); return s },
	"least squares": func(x *lazy.Array) *lazy.Array {
		a, _, _, _ := lazy.LstSq(wide(x), x.At(lazy.S(0, largeSize/64)))
		return a
	},
	"kron":       func(x *lazy.Array) *lazy.Array { return lazy.Kron(x, []float64{1, 2}).Sum() },
	"outer":      func(x *lazy.Array) *lazy.Array { return lazy.Outer(x, []float64{1, 2}).Sum() },
	"interp":     func(x *lazy.Array) *lazy.Array { return lazy.Interp(x, []float64{0, 1}, []float64{0, 1}).Sum() },
	"convolve":   func(x *lazy.Array) *lazy.Array { return lazy.Convolve(x, []float64{1, 2}).Sum() },
	"correlate":  func(x *lazy.Array) *lazy.Array { return lazy.Correlate(x, []float64{1, 2}).Sum() },
	"percentile": func(x *lazy.Array) *lazy.Array { return lazy.Percentile(x, 30) },
	"percentile rows": func(x *lazy.Array) *lazy.Array {
		return lazy.Percentile(x.Reshape(256, largeSize/256), 30, lazy.Axis(0))
	},
	"unique":         func(x *lazy.Array) *lazy.Array { return lazy.Unique(x.Mod(1000)) },
	"inverse":        func(x *lazy.Array) *lazy.Array { _, inverse := lazy.UniqueInverse(x.Mod(1000)); return inverse.Sum() },
	"median":         func(x *lazy.Array) *lazy.Array { return lazy.Median(x) },
	"cov":            func(x *lazy.Array) *lazy.Array { return lazy.Cov(x.Reshape(4, largeSize/4)) },
	"cov of columns": func(x *lazy.Array) *lazy.Array { return lazy.Cov(wide(x).T()) },
	"corrcoef":       func(x *lazy.Array) *lazy.Array { return lazy.CorrCoef(x.Reshape(4, largeSize/4)) },
	"cross": func(x *lazy.Array) *lazy.Array {
		return lazy.Cross(x.At(lazy.S(0, largeSize/3*3)).Reshape(largeSize/3, 3), []float64{1, 2, 3}).Sum()
	},
	"roll":          func(x *lazy.Array) *lazy.Array { return lazy.Roll(x, 12345).Sum() },
	"roll rows":     func(x *lazy.Array) *lazy.Array { return lazy.Roll(wide(x), 3, lazy.Axis(1)).Sum() },
	"rot90":         func(x *lazy.Array) *lazy.Array { return lazy.Rot90(wide(x)).Sum() },
	"rot90 and sum": func(x *lazy.Array) *lazy.Array { return lazy.Rot90(wide(x)).Mul(2).Sum(lazy.Axis(1)) },
	"flip":          func(x *lazy.Array) *lazy.Array { return lazy.Flip(x).Mul(2).Sum() },
	"meshgrid": func(x *lazy.Array) *lazy.Array {
		g := lazy.Meshgrid(x, []float64{1, 2})
		return g[0].Add(g[1]).Sum()
	},
	"concat":   func(x *lazy.Array) *lazy.Array { return lazy.Concat(lazy.Axis(0), x, x).Sum() },
	"stack":    func(x *lazy.Array) *lazy.Array { return lazy.Stack(lazy.Axis(1), x, x).Sum() },
	"append":   func(x *lazy.Array) *lazy.Array { return lazy.Append(x, []float64{1}).Sum() },
	"diff":     func(x *lazy.Array) *lazy.Array { return lazy.Diff(x).Sum() },
	"gradient": func(x *lazy.Array) *lazy.Array { return lazy.Gradient(x, 1).Sum() },
	"repeat":   func(x *lazy.Array) *lazy.Array { return lazy.Repeat(x, 2).Sum() },
	"split":    func(x *lazy.Array) *lazy.Array { return lazy.Split(x, 4)[3].Sum() },
	"clip":     func(x *lazy.Array) *lazy.Array { return lazy.Clip(x, 0, 1).Sum() },
	"is in":    func(x *lazy.Array) *lazy.Array { return lazy.IsIn(x, []float64{1, 2}).Sum() },
}

// wide is x as rows of 64.
func wide(x *lazy.Array) *lazy.Array { return x.Reshape(x.Size()/64, 64) }

// spent is what a computation took.
type spent struct {
	Name    string
	Peak    int64  // bytes, beyond what there was before
	Read    int64  // of the file
	Error   string // "" for none
	Refused bool
	Took    float64
}

// peak is the most memory that the process had since it was asked last, in bytes, or the error why nobody can tell.
func peak() (int64, error) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				return 0, err
			}
			return kb << 10, os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
		}
	}
	return 0, errors.New("/proc/self/status has no VmHWM")
}

// measureLarge is the process that computes: what the computations of large took, by their names, a line each.
func measureLarge(path, names string) error {
	var devices device.Registry
	devices.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	rt, err := offload.New(&devices, "host")
	if err != nil {
		return err
	}
	lazy.Wiring{}.SetRuntime(rt)
	lazy.SetHostBudget(8 * largeSize / 16)
	for name := range strings.SplitSeq(names, ",") {
		debug.FreeOSMemory()
		if _, err := peak(); err != nil { // of before
			return err
		}
		before, err := peak()
		if err != nil {
			return err
		}
		x, err := lazy.Open(path)
		if err != nil {
			return err
		}
		began := time.Now()
		err = panicOf(func() { lazy.Eval(large[name](x)) })
		s := spent{Name: name, Took: time.Since(began).Seconds()}
		after, wrong := peak()
		if wrong != nil {
			return wrong
		}
		if s.Peak = after - before; err != nil {
			var whole *offload.NotStreamed
			s.Error, s.Refused = err.Error(), errors.As(err, &whole)
		}
		read, err := x.Storage()
		if err != nil {
			return err
		}
		s.Read = read.BytesRead
		line, err := json.Marshal(s)
		if err != nil {
			return err
		}
		fmt.Println(string(line))
		if err := x.Close(); err != nil {
			return err
		}
	}
	return nil
}

// TestMemoryOfLargeFiles: what is computed of a file of 16 times the budget takes at most 64 MB beside it, or is
// refused by name before the file is read. It is another process that computes, whose memory nothing else takes.
func TestMemoryOfLargeFiles(t *testing.T) {
	if _, err := peak(); err != nil {
		t.Skip("the memory of a process cannot be measured here: ", err)
	}
	var names []string
	for i, name := range slices.Sorted(maps.Keys(large)) {
		if testsize.Part(i, 3) {
			names = append(names, name)
		}
	}
	other := exec.Command(os.Args[0], "-test.run=^TestMain$")
	other.Env = append(os.Environ(), "STORAGE_MEMORY="+holes(t, largeSize), "STORAGE_NAMES="+strings.Join(names, ","))
	text, err := other.Output()
	require.NoError(t, err, "%s", text)
	lines := bufio.NewScanner(strings.NewReader(string(text)))
	for lines.Scan() {
		var s spent
		require.NoError(t, json.Unmarshal(lines.Bytes(), &s), lines.Text())
		t.Logf("%-20s %4d MB, read %4d MB in %.2f s %s", s.Name, s.Peak>>20, s.Read>>20, s.Took, s.Error)
		require.NotEmpty(t, names, lines.Text())
		require.Equal(t, names[0], s.Name)
		names = names[1:]
		assert.LessOrEqual(t, s.Peak, int64(8*largeSize/16+64<<20), s.Name)
		if s.Error != "" {
			assert.True(t, s.Refused, "%s: %s", s.Name, s.Error)
			assert.Contains(t, s.Error, "x.npy", s.Name)
			assert.Less(t, s.Read, int64(1<<16), "%s: it was read before it was refused", s.Name)
		}
	}
	require.Empty(t, names, "they were not computed: %s", text)
}
