package goldens

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/gosrc/load"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// own is this package as kernels are compiled from it.
var own = sync.OnceValues(func() (*load.Package, error) { return load.Load(".", ".") })

// compiled returns the kernel of the given name, of this package or of the corpus.
func compiled(t *testing.T, name string) *gosrc.Kernel {
	t.Helper()
	options := gosrc.Options{Unchecked: true}
	p, err := own()
	require.NoError(t, err)
	var k *gosrc.Kernel
	if fn, ferr := p.Func(name); ferr == nil {
		k, err = gosrc.Compile(p.Source, fn, nil, options)
	} else {
		k, err = kernels.Compile(name, options)
	}
	require.NoError(t, err)
	return k
}

// run launches a kernel as it is written, on a machine that is timed whole, and brings back what it wrote to its
// slices.
func run(t *testing.T, machine, name string, grid, block kir.Dim3, args ...any) *trace.KernelStats {
	t.Helper()
	p, err := simgpu.PresetByName(machine)
	require.NoError(t, err)
	g := simgpu.New(p, simgpu.AsWritten(), simgpu.Full())
	defer g.Close()
	return runOn(t, g, name, grid, block, args...)
}

func runOn(t *testing.T, g *simgpu.GPU, name string, grid, block kir.Dim3, args ...any) *trace.KernelStats {
	t.Helper()
	check := func(err error) {
		t.Helper()
		require.NoError(t, err)
	}
	k := compiled(t, name)
	bound, err := k.Bind(args, nil)
	check(err)
	s, err := g.NewStream(0)
	check(err)
	params := make([]byte, k.Func.ParamBytes())
	buffers := map[int]device.Buffer{}
	for i, b := range bound {
		bits := b.Bits
		if b.Slice != nil {
			buf, err := g.Alloc(len(b.Bytes))
			check(err)
			s.CopyIn(buf, 0, b.Bytes)
			buffers[i], bits = buf, buf.Addr()
		}
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], bits)
		at := k.Func.Params[i]
		copy(params[at.Offset:at.Offset+at.Bytes()], word[:])
	}
	loaded, err := g.Load(k.Func)
	check(err)
	e := s.Launch(loaded, grid, block, 0, params)
	for i, buf := range buffers {
		s.CopyOut(bound[i].Bytes, buf, 0)
	}
	check(s.Sync(context.Background()))
	return e.Trace().Stats
}

// at adds up the lines whose text begins like word, at source lines that hold mark, of this package or of the corpus.
func at(t *testing.T, st *trace.KernelStats, file, mark, word string) (sum trace.Line) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	source := strings.Split(string(data), "\n")
	for _, l := range st.Detail.Lines {
		fields := strings.Split(l.Pos, ":")
		if len(fields) < 2 || filepath.Base(fields[0]) != filepath.Base(file) {
			continue
		}
		n, err := strconv.Atoi(fields[1])
		if err != nil || n > len(source) || !strings.Contains(source[n-1], mark) || !strings.Contains(l.Text, word) {
			continue
		}
		sum.Issued += l.Issued
		sum.Lanes += l.Lanes
		sum.Branches += l.Branches
		sum.Parted += l.Parted
	}
	return sum
}

func d2(x, y int) kir.Dim3 { return kir.Dim3{X: x, Y: y, Z: 1} }

// cuda-scan-brook.md A.2.2 [D]: 3 x 2 blocks of 5 x 3 threads are 90 threads on 46.9 % of the lanes, 4 blocks of 6 are
// 24 on 18.75 %.
func TestGridsOfOddBlocks(t *testing.T) {
	for _, c := range []struct {
		grid, block kir.Dim3
		threads     int
		share       float64
	}{{d2(3, 2), d2(5, 3), 90, 15.0 / 32}, {kir.D1(4), kir.D1(6), 24, 6.0 / 32}} {
		x := make([]int32, c.threads)
		st := run(t, "g80", "Ones", c.grid, c.block, x)
		sum := int32(0)
		for _, v := range x {
			sum += v
		}
		if got := float64(st.ThreadInstructions) / float64(32*st.WarpInstructions); int(sum) != c.threads || got != c.share {
			t.Errorf("%v of %v: %d threads on %.4f of the lanes, want %d on %.4f", c.grid, c.block, sum, got, c.threads, c.share)
		}
	}
}

// A.4: n = 1000 in blocks of 256 is 4 blocks with 24 threads that have nothing to do.
func TestGuardedThreads(t *testing.T) {
	testsize.InTurn(t, 1)
	x, y := make([]float32, 1000), make([]float32, 1000)
	st := run(t, "g80", "Saxpy", kir.D1(4), kir.D1(256), float32(2), x, y)
	file := "../../gpu/kernels/basics.go"
	all, stores := at(t, st, file, "i < len(y)", "branch"), at(t, st, file, "y[i] += a * x[i]", "store")
	if st.TotalBlocks != 4 || all.Lanes-stores.Lanes != 24 {
		t.Errorf("%d blocks, %d threads come to the guard, %d store", st.TotalBlocks, all.Lanes, stores.Lanes)
	}
}

// A.3 [D]: plusReduce of blocks of 256 has 1 + log2(256) = 9 barriers for each thread, 255 additions and an atomic a
// block; five turns of the loop (16 to 1 threads) and the last test part warp 0, nothing else does.
func TestPlusReduce(t *testing.T) {
	for _, n := range []int{1, 255, 256, 257, 10_000} {
		in, total := make([]int32, n), make([]int32, 1)
		for i := range in {
			in[i] = int32(i + 1)
		}
		blocks := (n + 255) / 256
		st := run(t, "gtx280", "PlusReduce", kir.D1(blocks), kir.D1(256), in, total)
		if int(total[0]) != n*(n+1)/2 {
			t.Errorf("n = %d: %d", n, total[0])
		}
		file := "../../gpu/kernels/reductions.go"
		adds := at(t, st, file, "s[tx] += s[tx+h]", "= add").Lanes
		barriers := at(t, st, file, "gpu.Sync()", "barrier").Lanes
		atomics := at(t, st, file, "gpu.AtomicAdd(&total[0]", "atomic").Lanes
		loop := at(t, st, file, "if tx < h", "br").Parted
		last := at(t, st, file, "if tx == 0", "br").Parted
		b := int64(blocks)
		if barriers != 9*256*b || atomics != b || loop != 5*b || last != b {
			t.Errorf("n = %d, %d blocks: %d barriers, %d atomics, %d and %d partings; %d additions", n, b, barriers, atomics, loop, last, adds)
		}
		// Additions of indices stand in the same source line: those are of 64 bits.
		if i32 := at(t, st, file, "s[tx] += s[tx+h]", "i32 = add").Lanes; i32 != 255*b {
			t.Errorf("n = %d, %d blocks: %d additions", n, b, i32)
		}
	}
}

// A.4: the sum of 1 to 10^6 needs integers of 64 bits.
func TestPlusReduceOfAMillion(t *testing.T) {
	testsize.InTurn(t, 2)
	const n = 1_000_000
	in, total := make([]int64, n), make([]int64, 1)
	for i := range in {
		in[i] = int64(i + 1)
	}
	p, err := simgpu.PresetByName("gtx280")
	require.NoError(t, err)
	g := simgpu.New(p)
	defer g.Close()
	runOn(t, g, "PlusReduce64", kir.D1((n+255)/256), kir.D1(256), in, total)
	require.Equal(t, int64(n)*(n+1)/2, total[0])
}

// B.4: saxpy of 2^20 elements moves 12 MiB, which takes 121.4 µs at the 103.68 GB/s of the first card: never less, and
// at most 1.25 times that.
func TestSaxpyOnTheFirstCardTakesItsBytes(t *testing.T) {
	const n = 1 << 20
	p, err := simgpu.PresetByName("g80")
	require.NoError(t, err)
	g := simgpu.New(p)
	defer g.Close()
	st := runOn(t, g, "Saxpy", kir.D1(n/256), kir.D1(256), float32(2), make([]float32, n), make([]float32, n))
	floor := 12 * float64(n) / 103.68e9
	times := float64(st.Cycles) / st.ClockHz / floor
	require.InDelta(t, 121.4e-6, floor, 0.05e-6)
	require.GreaterOrEqual(t, times, 1.0)
	require.LessOrEqual(t, times, 1.25)
	t.Logf("%.2f times the floor", times)
}

// A.3 [D]: rows of 1 to 32 elements use 528 of 1024 lanes of the loop, one row of 1000 beside 31 of 2 uses 3.3 %. The
// matrix of figure 4 times 1 2 3 4 is 6 0 20 5.
func TestCSRLanes(t *testing.T) {
	file := "../../gpu/kernels/basics.go"
	for _, c := range []struct {
		name string
		row  func(i int) int
		want float64
	}{
		{"rows of 1 to 32", func(i int) int { return i + 1 }, 528.0 / 1024},
		{"one row of 1000", func(i int) int {
			if i == 0 {
				return 1000
			}
			return 2
		}, 1062.0 / 32000},
	} {
		ptr := []int32{0}
		for i := range 32 {
			ptr = append(ptr, ptr[i]+int32(c.row(i)))
		}
		n := int(ptr[32])
		st := run(t, "g80", "CSRMul", kir.D1(1), kir.D1(32), ptr, make([]int32, n), make([]float32, n), make([]float32, 32), make([]float32, 32))
		loads := at(t, st, file, "sum += val[k] * x[col[k]]", "load")
		if got := float64(loads.Lanes) / float64(32*loads.Issued); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %.4f of the lanes, want %.4f", c.name, got, c.want)
		}
	}
	y := make([]float32, 4)
	run(t, "g80", "CSRMul", kir.D1(1), kir.D1(128), []int32{0, 2, 2, 5, 7}, []int32{0, 2, 1, 2, 3, 0, 3}, []float32{3, 1, 2, 4, 1, 1, 1}, []float32{1, 2, 3, 4}, y)
	if fmt.Sprint(y) != "[6 0 20 5]" {
		t.Errorf("the matrix of figure 4: %v", y)
	}
}

// A.3 [D]: on a tridiagonal matrix of 1024 rows in blocks of 128, 3056 of 3070 reads of x find it in shared memory.
func TestCSRCacheHits(t *testing.T) {
	const n = 1024
	ptr, col := []int32{0}, []int32(nil)
	for i := range int32(n) {
		for j := max(0, i-1); j <= min(n-1, i+1); j++ {
			col = append(col, j)
		}
		ptr = append(ptr, int32(len(col)))
	}
	st := run(t, "g80", "CSRMulCached", kir.D1(8), kir.D1(128), ptr, col, make([]float32, len(col)), make([]float32, n), make([]float32, n))
	file := "../../gpu/kernels/basics.go"
	hits, misses := at(t, st, file, "xj = cache[j-lo]", "load").Lanes, at(t, st, file, "xj = x[j]", "load").Lanes
	if hits != 3056 || hits+misses != 3070 {
		t.Errorf("%d of %d reads hit", hits, hits+misses)
	}
}

// B.2.4 [D]: each side of a branch on tid&1 has half of the lanes; a way of 32 has one.
func TestLanesOfBranches(t *testing.T) {
	x := make([]int32, 128)
	st := run(t, "g80", "Sides", kir.D1(1), kir.D1(128), x)
	for _, mark := range []string{"// odd", "// even"} {
		if l := at(t, st, "kernels.go", mark, ""); l.Issued == 0 || l.Lanes != 16*l.Issued {
			t.Errorf("%s: %d lanes in %d instructions", mark, l.Lanes, l.Issued)
		}
	}
	st = run(t, "g80", "Ways", kir.D1(1), kir.D1(128), x)
	if l := at(t, st, "kernels.go", "// one lane", "store"); l.Issued != 32*4 || l.Lanes != 128 {
		t.Errorf("a way of 32: %d lanes in %d instructions", l.Lanes, l.Issued)
	}
}

// D.2.2 and D.2.3 [D]: operator applications and barriers of a block's scan by warps, and in steps of the whole block.
func TestScansOfABlock(t *testing.T) {
	for _, c := range []struct {
		threads              int
		byWarps              int64
		inSteps, stepBarrier int64
	}{{64, 419, 321, 12}, {128, 741, 769, 14}, {256, 1385, 1793, 16}, {512, 2673, 4097, 18}, {1024, 5249, 9217, 20}} {
		for name, want := range map[string][2]int64{"ScanBlock": {c.byWarps, 5}, "ScanSimple": {c.inSteps, c.stepBarrier}} {
			x := make([]int32, c.threads)
			for i := range x {
				x[i] = int32(i%7 + 1)
			}
			sums := make([]int32, c.threads)
			last := int32(0)
			for i, v := range x {
				last += v
				sums[i] = last
			}
			st := run(t, "v100", name, kir.D1(1), kir.D1(c.threads), x)
			if fmt.Sprint(x) != fmt.Sprint(sums) {
				t.Errorf("%s of %d: wrong sums", name, c.threads)
			}
			ops := at(t, st, "kernels.go", "// operator", "i32 = add").Lanes
			barriers := at(t, st, "kernels.go", "gpu.Sync()", "barrier").Lanes / int64(c.threads)
			if ops != want[0] || barriers != want[1] {
				t.Errorf("%s of %d: %d operations and %d barriers, want %d and %d", name, c.threads, ops, barriers, want[0], want[1])
			}
		}
	}
}
