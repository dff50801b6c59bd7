package opt_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/random"
)

// chance is a machine on which everything takes as long as a seed says, so that any order may be the best.
func chance(seed, registers uint64, apart bool) opt.Machine {
	m := opt.Machine{Registers: int(registers), Timing: func(v *kir.Value) (issue, latency int) {
		x := (uint64(v.ID)+1)*0x9e3779b97f4a7c15 ^ seed*0xbf58476d1ce4e5b9
		x ^= x >> 31
		if x%4 == 0 && !v.Op.HasEffect() {
			return 0, 0
		}
		return 1 + int(x>>8%3), 1 + int(x>>16%64)*int(x>>24%8)
	}}
	if apart {
		m.Apart = func(p, q int) bool { return true } // the input of random kernels and their output
	}
	return m
}

// Random kernels give in any order what the reference gives in theirs, and take the registers that they may.
func TestScheduledRandomKernels(t *testing.T) {
	changed := 0
	for seed := range testsize.Seeds("kir/opt.TestScheduledRandomKernels") {
		change := func(f *kir.Func) *kir.Func {
			if seed%2 == 0 {
				f = opt.Optimize(f)
			}
			before := f.String()
			most := seed % 60
			g := opt.Schedule(f, chance(seed, most, seed%3 > 0))
			require.Equal(t, before, f.String(), "it changed what it was given")
			if g != f {
				changed++
			}
			require.LessOrEqual(t, opt.Registers(g), max(int(most), opt.Registers(f)), "seed %d", seed)
			return g
		}
		err := random.New(seed, random.All).Check(random.After("scheduled", change, random.Engine(1)), random.After("scheduled", change, random.Reference))
		if d := (*random.Difference)(nil); errors.As(err, &d) {
			d = random.Shrink(d, 2000)
			t.Fatalf("%v\nafter shrinking: %v\n%v", err, d, d.Kernel.Func)
		}
		require.NoError(t, err)
	}
	assert.Greater(t, changed, testsize.Of("kir/opt.TestScheduledRandomKernels")*4/3, "the test shows little")
}

// slowLoads is a machine whose loads and atomics take 400 cycles and all else 4.
func slowLoads(registers int, apart func(p, q int) bool) opt.Machine {
	return opt.Machine{Registers: registers, Apart: apart, Timing: func(v *kir.Value) (issue, latency int) {
		if v.Op == kir.OpLoad || v.Op.IsAtomic() {
			return 1, 400
		}
		return 1, 4
	}}
}

// order returns the operations of f's blocks that are not free, with the places that accesses are to: "load x load y+4
// add | store x".
func order(f *kir.Func) string {
	var blocks []string
	for _, blk := range f.Blocks {
		var ops []string
		for _, v := range blk.Values {
			if v.Op.IsFree() {
				continue
			}
			s := v.Op.String()
			if v.Op.IsMemory() {
				switch a := v.Args[0]; a.Op {
				case kir.OpParam:
					n, _ := a.ParamRef()
					s += " " + f.Params[n].Name
				case kir.OpShared:
					s += " " + f.Shared[a.Imm].Name
				}
				if v.Imm != 0 {
					s += fmt.Sprint("+", v.Imm)
				}
			}
			ops = append(ops, s)
		}
		blocks = append(blocks, strings.Join(ops, " "))
	}
	return strings.Join(blocks, " | ")
}

func TestWhatLoadsPass(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"sums", "\tv0 u64 = param 0\n\tv1 u64 = param 1\n\tv2 f32 = load global v0\n\tv3 f32 = neg v2\n\tv4 f32 = load global v0+4\n\tv5 f32 = add v3, v4\n\tstore global v1, v5\n",
			"load x load x+4 neg add store y"},
		{"a store that may be to the same place", "\tv0 u64 = param 0\n\tv1 u64 = param 1\n\tv2 f32 = load global v0\n\tstore global v1, v2\n\tv3 f32 = load global v0+4\n\tstore global v1+4, v3\n",
			"load x store y load x+4 store y+4"},
		{"a store beside it", "\tv0 u64 = param 0\n\tv1 u64 = param 1\n\tv2 f32 = load global v0\n\tstore global v0+8, v2\n\tv3 f32 = load global v0+4\n\tstore global v1+4, v3\n",
			"load x load x+4 store x+8 store y+4"},
		{"a store that reaches into it", "\tv0 u64 = param 0\n\tv1 u64 = param 1\n\tv2 u64 = load global v0+8\n\tstore global v0, v2\n\tv3 f32 = load global v0+4\n\tstore global v1+4, v3\n",
			"load x+8 store x load x+4 store y+4"},
		{"a store to another space", "\tv0 u64 = param 0\n\tv1 u64 = shared 0\n\tv2 f32 = load global v0\n\tstore shared v1, v2\n\tv3 f32 = load global v0+4\n\tstore shared v1+4, v3\n",
			"load x load x+4 store s store s+4"},
		{"a store to another array", "\tv0 u64 = param 0\n\tv1 u64 = shared 0\n\tv2 u64 = shared 1\n\tv3 f32 = load shared v1\n\tstore shared v2, v3\n\tv4 f32 = load shared v1+4\n\tstore shared v2+4, v4\n",
			"load s load s+4 store r store r+4"},
		{"an atomic", "\tv0 u64 = param 0\n\tv1 u64 = param 1\n\tv2 u32 = load global v1\n\tv3 u32 = atomic_add global v0, v2\n\tv4 u32 = load global v1+4\n\tstore global v1+4, v4\n",
			"load y atomic_add x load y+4 store y+4"},
		{"a barrier", "\tv0 u64 = param 0\n\tv1 u64 = param 1\n\tv2 f32 = load global v0\n\tv3 f32 = neg v2\n\tbarrier\n\tv4 f32 = load global v0+4\n\tv5 f32 = add v3, v4\n\tstore global v1, v5\n",
			"load x barrier load x+4 neg add store y"},
		{"a volatile load", "\tv0 u64 = param 0\n\tv1 u64 = param 1\n\tv2 f32 = load volatile global v0\n\tv3 f32 = neg v2\n\tv4 f32 = load global v0+4\n\tv5 f32 = load volatile global v0\n\tv6 f32 = add v3, v4\n\tv7 f32 = add v5, v6\n\tstore global v1, v7\n",
			"load x load x+4 load x neg add add store y"},
		{"steady loads pass stores", "\tv0 u64 = param 0\n\tv1 u64 = param 1\n\tv2 f32 = load steady global v0\n\tstore global v1, v2\n\tv3 f32 = load steady global v0+4\n\tstore global v1+4, v3\n",
			"load x load x+4 store y store y+4"},
		{"a fence", "\tv0 u64 = param 0\n\tv1 u64 = param 1\n\tv2 f32 = load global v0\n\tstore global v0+8, v2\n\tfence device\n\tv3 f32 = load global v0+4\n\tstore global v1, v3\n",
			"load x store x+8 fence load x+4 store y"},
	} {
		f, err := kir.Parse("kernel k(x u64, y u64)\nshared s [4]f32\nshared r [4]f32\nb0 entry:\n" + c.body + "\treturn\n")
		if !assert.NoError(t, err, c.name) {
			continue
		}
		assert.Equal(t, c.want, order(opt.Schedule(f, slowLoads(32, nil))), c.name)
	}
}

// Parameters that point to different memory are apart, in loops, too; those that may not are not.
func TestLoadsPassStoresToOtherMemory(t *testing.T) {
	f, err := kir.Parse(`kernel k(x u64, y u64, n u32)
b0 entry:
	v0 u64 = param 0
	v1 u64 = param 1
	v2 u32 = param 2
	v3 u64 = const 8
	v4 u32 = const 2
	jump b1(v0, v1, v2)
b1 loop(v5 u64, v6 u64, v7 u32):
	v8 f32 = load global v5
	store global v6, v8
	v9 f32 = load global v5+4
	store global v6+4, v9
	v10 u64 = add v5, v3
	v11 u64 = add v6, v3
	v12 u32 = sub v7, v4
	v13 bool = gt v12, v4
	branch v13, b1(v10, v11, v12), b2
b2 end:
	return
`)
	require.NoError(t, err)
	apart := func(p, q int) bool { return p+q == 1 }
	same := func(p, q int) bool { return false }
	assert.Contains(t, order(opt.Schedule(f, slowLoads(32, apart))), "| load load+4 ")
	assert.Contains(t, order(opt.Schedule(f, slowLoads(32, same))), "store load+4 ")
	assert.Contains(t, order(opt.Schedule(f, slowLoads(32, nil))), "store load+4 ")
}

// A load stays behind the test of its own index, and passes that of what another load brings.
func TestWhatLoadsPassOfTests(t *testing.T) {
	b := kir.NewBuilder("k")
	x, at, n := b.Param("x", kir.U64), b.Param("at", kir.U64), b.Param("n", kir.I64)
	var sum []*kir.Value
	for i := range 2 {
		b.Pos = kir.Pos{Line: 1 + i}
		j := b.Load(kir.Global, kir.I64, b.Op(kir.OpAdd, at, b.Int(kir.U64, int64(8*i))))
		b.Pos = kir.Pos{Line: 3 + i}
		b.Check(kir.CheckIndex, b.Op(kir.OpLt, j, n), j, n, "x[j]")
		sum = append(sum, b.Load(kir.Global, kir.F32, b.Index(x, j, kir.F32)))
	}
	b.Store(kir.Global, x, b.Op(kir.OpAdd, sum[0], sum[1]))
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	got := order(opt.Schedule(opt.Optimize(f), slowLoads(32, nil)))
	assert.Regexp(t, `^load at load at\+8 .*check .*load .*add store x$`, got)
	assert.NotRegexp(t, `load at\+8 .*load .*load .*check`, got)
}

// The sum of 16 elements, in an order that few registers leave little choice of.
func TestScheduleKeepsToRegisters(t *testing.T) {
	b := kir.NewBuilder("k")
	x := b.Param("x", kir.U64)
	sum := b.Const(kir.F32, 0)
	for i := range 16 {
		sum = b.Op(kir.OpAdd, sum, b.Load(kir.Global, kir.F32, b.Op(kir.OpAdd, x, b.Int(kir.U64, int64(4*i)))))
	}
	b.Store(kir.Global, x, sum)
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	f = opt.Optimize(f)
	was := opt.Registers(f)
	for _, most := range []int{0, was, was + 3, was + 8, was + 14, 200} {
		g := opt.Schedule(f, slowLoads(most, nil))
		first := len(regexp.MustCompile(`^( ?load \S+)*`).FindString(order(g)))
		assert.LessOrEqual(t, opt.Registers(g), max(most, was))
		loads := strings.Count(order(g)[:first], "load")
		assert.Equal(t, min(16, max(most, was)-(was-2)), loads, "%d registers; without an order of its own the kernel has a load and a sum", most)
	}
}

// A sum of products of 32 numbers of shared memory, which are loaded in fours, and of 32 of global memory, in 32
// registers: fours must be aligned, and more than the limit are taken where all that may be live is. Then it is tried
// with fewer, until an order is found that has many loads under way at a time.
func TestScheduleWhereRegistersAreAligned(t *testing.T) {
	b := kir.NewBuilder("k")
	x, step := b.Param("x", kir.U64), b.Param("step", kir.I64)
	own := b.SharedArray("own", kir.F32, 32*32)
	row := b.Op(kir.OpAdd, own, b.Convert(kir.U64, b.Op(kir.OpMul, b.Convert(kir.I64, b.Special(kir.TidY)), b.Int(kir.I64, 128))))
	at := b.Op(kir.OpAdd, x, b.Convert(kir.U64, b.Op(kir.OpMul, b.Convert(kir.I64, b.Special(kir.TidX)), b.Int(kir.I64, 4))))
	sum := b.Const(kir.F32, 0)
	for i := range 32 {
		number := b.Load(kir.Shared, kir.F32, b.Op(kir.OpAdd, row, b.Int(kir.U64, int64(4*i))))
		sum = b.Op(kir.OpFma, number, b.Load(kir.Global, kir.F32, at), sum)
		at = b.Op(kir.OpAdd, at, b.Convert(kir.U64, step))
	}
	b.Store(kir.Global, x, sum)
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	f = opt.MergeLoads(opt.Optimize(f), 96)
	const most = 32
	g := opt.Schedule(f, slowLoads(most, nil))
	require.LessOrEqual(t, opt.Registers(g), most)
	first, _, _ := strings.Cut(order(g), "fma")
	assert.Greater(t, strings.Count(first, "load"), 8, "loads before the first product: %s", order(g))
}
