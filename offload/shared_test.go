package offload

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// inPlace is a task whose output begins as x, n I64 elements, and has 1 added to each: by a kernel or on the CPU. When
// bad, it fails half way.
func inPlace(t *testing.T, rt *Runtime, x *Value, cpu, bad bool) *Task {
	t.Helper()
	n := x.Bytes() / 8
	task := &Task{Name: "increment", Out: []*Value{rt.NewValue(x.Bytes())}, From: []*Value{x}}
	if cpu {
		task.CPU = func(out, _ [][]byte) error {
			for i := range n {
				copy(out[0][8*i:], ints(1, at(out[0], i)+1))
			}
			return nil
		}
		return task
	}
	b := kir.NewBuilder("increment")
	y, count := b.Param("y", kir.U64), b.Param("n", kir.I64)
	i := b.GlobalIDX()
	body, end := b.NewBlock("body"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, count), body, end)
	b.SetBlock(body)
	place := b.Index(y, i, kir.I64)
	b.Store(kir.Global, place, b.Op(kir.OpAdd, b.Load(kir.Global, kir.I64, place), b.Int(kir.I64, 1)))
	if bad {
		b.Check(kir.CheckIndex, b.Op(kir.OpLt, i, b.Int(kir.I64, 9)), i, count, "y[i]")
	}
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	task.Launches = []Launch{{Func: f, Grid: kir.D1((n + 63) / 64), Block: kir.D1(64), Args: []Arg{Pointer(task.Out[0]), Int(n)}}}
	return task
}

// Random programs, with kernels and functions of the CPU that write in place, on small devices that share the host's
// memory and on the host, with values that are moved out and evaluations that fail: each value is what it must be, and
// what the host has been given never changes.
func TestSharedMemoryInRandomPrograms(t *testing.T) {
	testsize.InTurn(t, 0)
	const n = 64
	for seed := range uint64(40) {
		var r device.Registry
		for _, name := range []string{"a", "b"} {
			r.Add(name, func() (device.Device, error) {
				p, err := simgpu.PresetByName("sim:tiny")
				p.MemoryBytes = 8 * n * 8 // of eight values
				return simgpu.New(p), err
			})
		}
		r.Add("host", func() (device.Device, error) { return host.Open(1 << 20), nil })
		rt, err := New(&r, "a")
		require.NoError(t, err)
		rnd := rand.New(rand.NewPCG(seed, 7))
		type known struct {
			v     *Value
			first int // element 0; step to the next
			step  int
		}
		type given struct{ now, was []byte }
		var values []known
		var out []given
		give := func(b []byte) { out = append(out, given{b, bytes.Clone(b)}) }
		contents := func(k known) []byte {
			b := make([]byte, 0, 8*n)
			for i := range n {
				b = append(b, ints(1, k.first+i*k.step)...)
			}
			return b
		}
		for len(values) < 3 {
			k := known{nil, rnd.IntN(100), 1 + rnd.IntN(3)}
			k.v = rt.HostValue(contents(k))
			give(k.v.host)
			values = append(values, k)
		}
		for range 25 {
			if err := rt.Use([]string{"a", "b", "host"}[rnd.IntN(3)]); err != nil {
				t.Fatal(err)
			}
			var p Program
			made := append([]known(nil), values...)
			fails := rnd.IntN(8) == 0
			for range 1 + rnd.IntN(5) {
				from := made[rnd.IntN(len(made))]
				var task *Task
				to := known{first: from.first + 1, step: from.step}
				switch rnd.IntN(3) {
				case 0:
					task = double(t, rt, from.v)
					to = known{first: 2 * from.first, step: 2 * from.step}
				case 1:
					task = inPlace(t, rt, from.v, true, false)
				default:
					task = inPlace(t, rt, from.v, false, false)
				}
				to.v = task.Out[0]
				p.Tasks, made = append(p.Tasks, task), append(made, to)
			}
			if fails {
				p.Tasks = append(p.Tasks, inPlace(t, rt, made[rnd.IntN(len(made))].v, false, true))
			}
			kept := append([]known(nil), values...)
			for _, k := range made[len(values):] {
				switch rnd.IntN(3) {
				case 0: // nobody asks for it
					for _, task := range p.Tasks {
						if task.Out[0] == k.v {
							task.Temporary = []*Value{k.v}
						}
					}
				case 1:
					p.Want = append(p.Want, k.v)
					kept = append(kept, k)
				default:
					kept = append(kept, k)
				}
			}
			_, err := rt.Run(p)
			if fails {
				if failed := new(TaskError); !errors.As(err, &failed) {
					t.Fatalf("seed %d: error %v", seed, err)
				}
				kept = values
			} else if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			for _, k := range kept[len(values):] {
				if k.v.host != nil && rnd.IntN(2) == 0 {
					give(k.v.Host())
				}
			}
			values = kept
		}
		for i, k := range values {
			if k.v.host == nil {
				if _, err := rt.Run(Program{Want: []*Value{k.v}}); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := k.v.Host(), contents(k); !bytes.Equal(got, want) {
				t.Fatalf("seed %d: value %d is %d, %d…, not %d, %d", seed, i, at(got, 0), at(got, 1), at(want, 0), at(want, 1))
			}
		}
		for i, g := range out {
			if !bytes.Equal(g.now, g.was) {
				t.Fatalf("seed %d: what was given away at first, number %d of %d, has changed: %s", seed, i, len(out), fmt.Sprint(at(g.now, 0), at(g.was, 0)))
			}
		}
	}
}

// A function of the CPU that writes to a temporary value in place leaves alone what a kernel that is queued before it
// reads.
func TestInPlaceAfterAQueuedKernel(t *testing.T) {
	const n = 1 << 15
	rt := small(t, 1<<24)
	slow := double(t, rt, rt.HostValue(ints(n, 1)))
	first := inPlace(t, rt, rt.HostValue(ints(n, 0)), true, false)
	first.Temporary = first.Out
	reader := double(t, rt, first.Out[0])
	second := inPlace(t, rt, first.Out[0], true, false)
	if _, err := rt.Run(Program{Tasks: []*Task{first, slow, reader, second}, Want: []*Value{reader.Out[0], second.Out[0]}}); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if a, b := at(reader.Out[0].Host(), i), at(second.Out[0].Host(), i); a != 2*(i+1) || b != i+2 {
			t.Fatalf("element %d: %d and %d, not %d and %d", i, a, b, 2*(i+1), i+2)
		}
	}
}
