package offload

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/anyorder"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// summed is a task that adds its inputs, I64 elements, and number to them, by way of scratch where that is asked for.
// With from, the output begins as a copy of that.
func summed(t *testing.T, rt *Runtime, from *Value, number int, scratch bool, in ...*Value) *Task {
	t.Helper()
	first := from
	if first == nil {
		first = in[0]
	}
	n := first.Bytes() / 8
	task := &Task{Name: fmt.Sprintf("sum %d", number), In: in, Out: []*Value{rt.NewValue(first.Bytes())}}
	add := func(to Arg, begins bool, values ...Arg) Launch {
		b := kir.NewBuilder("sum")
		out, count := b.Param("out", kir.U64), b.Param("n", kir.I64)
		args := []Arg{to, Int(n)}
		i := b.GlobalIDX()
		var more []*kir.Value
		for k, v := range values {
			more, args = append(more, b.Param(fmt.Sprint("in", k), kir.U64)), append(args, v)
		}
		body, end := b.NewBlock("body"), b.NewBlock("end")
		b.Branch(b.Op(kir.OpLt, i, count), body, end)
		b.SetBlock(body)
		place := b.Index(out, i, kir.I64)
		sum := b.Int(kir.I64, int64(number))
		if begins {
			sum = b.Op(kir.OpAdd, sum, b.Load(kir.Global, kir.I64, place))
		}
		for _, v := range more {
			sum = b.Op(kir.OpAdd, sum, b.Load(kir.Global, kir.I64, b.Index(v, i, kir.I64)))
		}
		b.Store(kir.Global, place, sum)
		b.Jump(end)
		b.SetBlock(end)
		b.Return()
		f, err := b.Func()
		require.NoError(t, err)
		return Launch{Func: f, Grid: kir.D1((n + 63) / 64), Block: kir.D1(64), Args: args}
	}
	if from != nil {
		task.From = []*Value{from}
	}
	args := make([]Arg, len(in))
	for k, v := range in {
		args[k] = Pointer(v)
	}
	if scratch && from == nil {
		task.Scratch = []int{first.Bytes()}
		task.Launches = []Launch{add(Scratch(0), false, args...), add(Pointer(task.Out[0]), false, Scratch(0))}
		return task
	}
	task.Launches = []Launch{add(Pointer(task.Out[0]), from != nil, args...)}
	return task
}

// Random programs on a device that does things in any order that their events allow, with much memory and with little:
// every value is what it must be, whoever read its memory before.
func TestStreamsInRandomPrograms(t *testing.T) {
	type known struct {
		v    *Value
		want int // of element 0; the next ones have step more each
		step int
		n    int
	}
	crossed := 0
	for seed := range testsize.Seeds("offload.TestStreamsInRandomPrograms") {
		rnd := rand.New(rand.NewPCG(seed, 8))
		dev := anyorder.New(seed, []int64{1 << 22, 48 << 10, 20 << 10}[rnd.IntN(3)])
		var r device.Registry
		r.Add("anyorder", func() (device.Device, error) { return dev, nil })
		rt, err := New(&r, "anyorder")
		require.NoError(t, err)
		var values []known
		for i := range 4 {
			n := []int{16, 96, 200}[i%3]
			values = append(values, known{rt.HostValue(ints(n, i)), i, 1, n})
		}
		for range 4 {
			var p Program
			before, made := values, slices.Clone(values)
			makers := map[*Value]*Task{}
			for range 4 + rnd.IntN(30) {
				first := made[len(made)-1-rnd.IntN(min(len(made), 8))]
				to := known{n: first.n, want: first.want, step: first.step}
				var in []*Value
				var from *Value
				if rnd.IntN(4) == 0 {
					from = first.v
				} else {
					in = append(in, first.v)
				}
				for range rnd.IntN(3) {
					if k := made[rnd.IntN(len(made))]; k.n == to.n && !slices.Contains(in, k.v) && k.v != from {
						in, to.want, to.step = append(in, k.v), to.want+k.want, to.step+k.step
					}
				}
				number, scratch := rnd.IntN(100), from == nil && rnd.IntN(4) == 0
				if to.want += number; scratch {
					to.want += number
				}
				task := summed(t, rt, from, number, scratch, in...)
				to.v = task.Out[0]
				makers[to.v] = task
				p.Tasks, made = append(p.Tasks, task), append(made, to)
			}
			for _, k := range made[len(values):] {
				switch rnd.IntN(5) {
				case 0:
					p.Want, values = append(p.Want, k.v), append(values, k)
				case 1:
					values = append(values, k)
				default: // nobody asks for it
					makers[k.v].Temporary = []*Value{k.v}
				}
			}
			_, err := rt.Run(p)
			if errors.Is(err, device.ErrOutOfMemory) { // memory is in pieces, and no task here can be cut
				values = before
				continue
			}
			values = values[max(len(values)-6, 0):]
			require.NoError(t, err, "seed %d", seed)
		}
		for i, k := range values {
			if k.v.Host() == nil {
				_, err := rt.Run(Program{Want: []*Value{k.v}})
				require.NoError(t, err)
			}
			for e := range k.n {
				require.Equal(t, k.want+e*k.step, at(k.v.Host(), e), "seed %d, value %d, element %d", seed, i, e)
			}
		}
		crossed += dev.Crossed
	}
	require.Positive(t, crossed)
	t.Logf("%d operations were done before some that were queued earlier", crossed)
}
