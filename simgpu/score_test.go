package simgpu

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
)

// source is a function of a Cand as cells give it: compiled, and as Go's compiler has it.
type source struct {
	code   *kir.Func
	fields [][]int
	of     func(Cand) float64
}

func (s source) Reader() (*kir.Func, [][]int, error) {
	if s.code == nil {
		return nil, nil, errors.New("it cannot be compiled")
	}
	return s.code, s.fields, nil
}
func (s source) Callable() any { return s.of }

// ofWidth is a function of a cell that is no score.
type ofWidth struct{ source }

func (ofWidth) Callable() any { return func(c Cand) int { return c.Width } }

// numbers makes a function of the named fields, which all have 64 bits.
func numbers(t testing.TB, names []string, of func(b *kir.Builder, x []*kir.Value) *kir.Value) source {
	b := kir.NewBuilder("score")
	out := b.Param("result", kir.U64)
	s := source{}
	var x []*kir.Value
	for _, name := range names {
		f, ok := reflect.TypeFor[Cand]().FieldByName(name)
		require.True(t, ok)
		kind := kir.I64
		if name == "Ready" {
			kind = kir.Bool
		}
		x = append(x, b.Param(name, kind))
		s.fields = append(s.fields, f.Index)
	}
	b.Store(kir.Global, out, of(b, x))
	b.Return()
	s.code = build(t, b)
	return s
}

// A compiled score gives the schedule of the same function called for each candidate: for random sums of the fields,
// and one with a loop.
func TestCompiledScores(t *testing.T) {
	run := func(f *kir.Func, p Picker) int64 {
		b := newBench(t, "fermivt", WithPicker(p), AsWritten(), WithSMs(1))
		if f.Name == "chains" {
			return b.launch(f, kir.D1(24), kir.D1(64), b.alloc(8*24*64), b.alloc(8*24*64)).Stats.Cycles
		}
		return b.launch(f, kir.D1(12), kir.D1(256), b.alloc(8*12*256), 12*256).Stats.Cycles
	}
	names := []string{"PC", "Age", "Since", "Width", "AtPC", "Block", "LoadsInFlight", "LastIssue"}
	seen := map[int64]bool{}
	for seed := range testsize.Seeds("simgpu.TestCompiledScores") {
		rng := rand.New(rand.NewPCG(seed, 34))
		weights := make([]float64, len(names))
		for i := range weights {
			if rng.IntN(2) == 0 {
				weights[i] = float64(rng.IntN(9) - 4)
			}
		}
		mod := int64(rng.IntN(5))
		s := numbers(t, names, func(b *kir.Builder, x []*kir.Value) *kir.Value {
			sum := b.Const(kir.F64, 0)
			for i, w := range weights {
				v := x[i]
				if mod > 0 {
					v = b.Op(kir.OpRem, v, b.Int(kir.I64, mod+7))
				}
				sum = b.Op(kir.OpAdd, sum, b.Op(kir.OpMul, b.Const(kir.F64, w), b.Convert(kir.F64, v)))
			}
			return sum
		})
		called := func(c Cand) float64 {
			sum := 0.0
			for i, v := range []int64{int64(c.PC), c.Age, c.Since, int64(c.Width), int64(c.AtPC), int64(c.Block), int64(c.LoadsInFlight), c.LastIssue} {
				if mod > 0 {
					v %= mod + 7
				}
				sum += weights[i] * float64(v)
			}
			return sum
		}
		compiled := Score("s", s)
		require.IsType(t, compiledScore{}, compiled)
		for _, f := range []*kir.Func{triangle(t), branchyOf(t), chains(t, 5)} {
			want := run(f, Score("s", called))
			require.Equal(t, want, run(f, compiled), "seed %d, %s: %v, remainders of %d", seed, f.Name, weights, mod+7)
			seen[want] = true
		}
	}
	assert.Greater(t, len(seen), 4, "scores make a difference")

	b := kir.NewBuilder("loop") // the number of times that Age can be halved
	out, age := b.Param("result", kir.U64), b.Param("Age", kir.I64)
	head, body, end := b.NewBlock("head"), b.NewBlock("body"), b.NewBlock("end")
	a, n := b.BlockParam(head, kir.I64), b.BlockParam(head, kir.F64)
	b.Jump(head, age, b.Const(kir.F64, 0))
	b.SetBlock(head)
	b.Branch(b.Op(kir.OpGt, a, b.Int(kir.I64, 0)), body, end)
	b.SetBlock(body)
	b.Jump(head, b.Op(kir.OpDiv, a, b.Int(kir.I64, 2)), b.Op(kir.OpAdd, n, b.Const(kir.F64, 1)))
	b.SetBlock(end)
	b.Store(kir.Global, out, n)
	b.Return()
	field, _ := reflect.TypeFor[Cand]().FieldByName("Age")
	halved := func(c Cand) (n float64) {
		for a := c.Age; a > 0; a /= 2 {
			n++
		}
		return n
	}
	compiled := Score("halved", source{code: build(t, b), fields: [][]int{field.Index}})
	assert.Equal(t, run(triangle(t), Score("halved", halved)), run(triangle(t), compiled))
}

// The same score made twice is one policy; what cannot be compiled is called, and anything else refused. A score under
// DWF is one of its groups.
func TestWhichScoresAreCompiled(t *testing.T) {
	few := func(b *kir.Builder, x []*kir.Value) *kir.Value {
		return b.Op(kir.OpNeg, b.Convert(kir.F64, x[0]))
	}
	one, two := Score("few", numbers(t, []string{"Width"}, few)), Score("few", numbers(t, []string{"Width"}, few))
	assert.Equal(t, identity(one), identity(two))
	assert.NotEqual(t, identity(one), identity(Score("few", numbers(t, []string{"Age"}, few))))
	assert.False(t, policies{divergence: PDOM{}, issue: GTO{}, order: InOrder{}, picker: one}.foreign())
	called := func(c Cand) float64 { return -float64(c.Width) }
	assert.IsType(t, &score{}, Score("called", source{of: called}))
	for _, wrong := range []any{nil, 3, func(Cand) int { return 0 }, func(int) float64 { return 0 }} {
		assert.ErrorContains(t, catch(func() { Score("wrong", wrong) }), fmt.Sprintf("Score of a %T", wrong))
	}
	assert.ErrorContains(t, catch(func() { Score("wrong", ofWidth{}) }), "Score of a func(simgpu.Cand) int: it is a func(simgpu.Cand) float64")
	run := func(p Picker) int64 {
		b := newBench(t, "tesla2009", WithDivergence(DWF{}), WithPicker(p), AsWritten(), WithSMs(1))
		return b.launch(triangle(t), kir.D1(4), kir.D1(256), b.alloc(8*4*256), 4*256).Stats.Cycles
	}
	assert.Equal(t, run(Score("called", called)), run(one))
}

// A score that is not a number says nothing of which group comes first, and is an error of the launch: a compiled one
// and one that is called.
func TestScoresThatAreNoNumbers(t *testing.T) {
	nan := numbers(t, []string{"Age"}, func(b *kir.Builder, x []*kir.Value) *kir.Value {
		zero := b.Convert(kir.F64, b.Op(kir.OpSub, x[0], x[0]))
		return b.Op(kir.OpDiv, zero, zero)
	})
	for _, of := range []any{nan, func(Cand) float64 { return math.NaN() }} {
		for _, o := range [][]Option{nil, {WithDivergence(DWF{})}} {
			b := newBench(t, "tesla2009", append(o, WithPicker(Score("none", of)), AsWritten())...)
			k, err := b.gpu.Load(triangle(t))
			require.NoError(t, err)
			b.stream.Launch(k, kir.D1(1), kir.D1(256), 0, pack(t, b.alloc(8*256), 256))
			var wrong *PolicyError
			require.ErrorAs(t, b.stream.Sync(ctx), &wrong)
			assert.Equal(t, "none", wrong.Policy)
			assert.Contains(t, wrong.Error(), "is not a number")
		}
	}
}

// A score that has no result is an error of the launch.
func TestScoresThatFail(t *testing.T) {
	s := numbers(t, []string{"Age"}, func(b *kir.Builder, x []*kir.Value) *kir.Value {
		zero := b.Op(kir.OpSub, x[0], x[0])
		b.Check(kir.CheckDivide, b.Op(kir.OpNe, b.Op(kir.OpAnd, x[0], b.Int(kir.I64, 1)), zero), x[0], zero, "")
		return b.Convert(kir.F64, x[0])
	})
	for _, o := range [][]Option{nil, {WithDivergence(DWF{})}} {
		b := newBench(t, "tesla2009", append(o, WithPicker(Score("half of them", s)), AsWritten())...)
		k, err := b.gpu.Load(triangle(t))
		require.NoError(t, err)
		b.stream.Launch(k, kir.D1(1), kir.D1(256), 0, pack(t, b.alloc(8*256), 256))
		err = b.stream.Sync(ctx)
		var wrong *PolicyError
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, "half of them", wrong.Policy)
		assert.Contains(t, err.Error(), "failed in its score: an integer is divided by zero")
	}
}
