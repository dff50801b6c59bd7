package offload

import (
	"context"
	"encoding/binary"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// small is a runtime whose devices have so many bytes each.
func small(t *testing.T, bytes int64) *Runtime {
	var r device.Registry
	for _, name := range []string{"a", "b"} {
		r.Add(name, func() (device.Device, error) {
			p, err := simgpu.PresetByName("sim:tiny")
			p.MemoryBytes = bytes
			return simgpu.New(p), err
		})
	}
	rt, err := New(&r, "a")
	require.NoError(t, err)
	return rt
}

// double is a task that writes 2*x of n I64 elements.
func double(t *testing.T, rt *Runtime, x *Value) *Task {
	t.Helper()
	n := x.Bytes() / 8
	b := kir.NewBuilder("double")
	in, out, count := b.Param("in", kir.U64), b.Param("out", kir.U64), b.Param("n", kir.I64)
	i := b.GlobalIDX()
	body, end := b.NewBlock("body"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, count), body, end)
	b.SetBlock(body)
	v := b.Load(kir.Global, kir.I64, b.Index(in, i, kir.I64))
	b.Store(kir.Global, b.Index(out, i, kir.I64), b.Op(kir.OpAdd, v, v))
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	y := rt.NewValue(x.Bytes())
	return &Task{Name: "double", In: []*Value{x}, Out: []*Value{y}, Launches: []Launch{{
		Func: f, Grid: kir.D1((n + 63) / 64), Block: kir.D1(64), Args: []Arg{Pointer(x), Pointer(y), Int(n)},
	}}}
}

func ints(n, x int) []byte {
	b := make([]byte, 8*n)
	for i := range n {
		binary.LittleEndian.PutUint64(b[8*i:], uint64(x+i))
	}
	return b
}

func at(b []byte, i int) int { return int(binary.LittleEndian.Uint64(b[8*i:])) }

func TestRunCopiesOnlyWhatMustMove(t *testing.T) {
	rt := small(t, 1<<20)
	x := rt.HostValue(ints(100, 5))
	first := double(t, rt, x)
	second := double(t, rt, first.Out[0])
	log, err := rt.Run(Program{Tasks: []*Task{first, second}, Want: []*Value{second.Out[0]}})
	require.NoError(t, err)
	if got := at(second.Out[0].Host(), 3); got != 4*8 {
		t.Errorf("element 3 is %d, want 32", got)
	}
	s := rt.Stats()
	if s.Launches != 2 || s.CopiesIn != 1 || s.CopiesOut != 1 || s.BytesIn != 800 || first.Out[0].Host() != nil {
		t.Errorf("stats %+v; want 2 launches, one copy each way of 800 bytes, the value between left on the device", s)
	}
	kinds := map[trace.Kind]int{}
	for _, e := range log.Events() {
		kinds[e.Kind]++
	}
	if kinds[trace.Kernel] != 2 || kinds[trace.CopyIn] != 1 || kinds[trace.CopyOut] != 1 || trace.Last() != log {
		t.Errorf("the trace has %v", kinds)
	}
}

// TestLeastRecentlyUsedMakesRoom: eight values of 1 KB through a device of 4 KB; each survives on the host.
func TestLeastRecentlyUsedMakesRoom(t *testing.T) {
	rt := small(t, 4096)
	var made []*Value
	for i := range 8 {
		task := double(t, rt, rt.HostValue(ints(128, i)))
		if _, err := rt.Run(Program{Tasks: []*Task{task}}); err != nil {
			t.Fatalf("value %d: %v", i, err)
		}
		made = append(made, task.Out[0])
	}
	if s := rt.Stats(); s.Evictions == 0 || s.LiveBytes > 4096 {
		t.Errorf("stats %+v", s)
	}
	for i, v := range made {
		if _, err := rt.Run(Program{Want: []*Value{v}}); err != nil || at(v.Host(), 0) != 2*i {
			t.Errorf("value %d is %d, %v", i, at(v.Host(), 0), err)
		}
	}
}

// TestTemporariesMakeRoom: a chain of eight values of 1 KB in one run on a device of 4 KB, the values between temporary
// or kept (and then moved to the host).
func TestTemporariesMakeRoom(t *testing.T) {
	for _, temporary := range []bool{true, false} {
		rt := small(t, 4096)
		var p Program
		v := rt.HostValue(ints(128, 1))
		for range 8 {
			task := double(t, rt, v)
			if temporary {
				task.Temporary = task.Out
			}
			p.Tasks = append(p.Tasks, task)
			v = task.Out[0]
		}
		p.Tasks[7].Temporary = nil
		p.Want = []*Value{v}
		if _, err := rt.Run(p); err != nil || at(v.Host(), 0) != 256 {
			t.Fatalf("temporary %v: %v", temporary, err)
		}
		for i, task := range p.Tasks[:7] {
			if out := task.Out[0]; out.Done() == temporary {
				t.Errorf("temporary %v: value %d is made: %v", temporary, i, out.Done())
			} else if !temporary {
				if _, err := rt.Run(Program{Want: task.Out}); err != nil || at(out.Host(), 0) != 2<<i {
					t.Errorf("value %d is %d, %v", i, at(out.Host(), 0), err)
				}
			}
		}
	}
}

func TestOutOfMemoryIsTold(t *testing.T) {
	rt := small(t, 1000)
	task := double(t, rt, rt.HostValue(ints(200, 0)))
	_, err := rt.Run(Program{Tasks: []*Task{task}})
	if !errors.Is(err, device.ErrOutOfMemory) || !strings.Contains(err.Error(), "1.6 kB") {
		t.Errorf("error %v; want out of memory naming 1.6 kB", err)
	}
	if s := rt.Stats(); s.LiveBytes != 0 || task.Out[0].Done() {
		t.Errorf("after the failure %d bytes are live", s.LiveBytes)
	}
	if _, err := rt.Run(Program{Tasks: []*Task{double(t, rt, rt.HostValue(ints(10, 0)))}}); err != nil {
		t.Errorf("a smaller task afterwards: %v", err)
	}
}

func TestFailedTaskCanRunAgain(t *testing.T) {
	rt := small(t, 1<<20)
	x := double(t, rt, rt.HostValue(ints(10, 1)))
	fail := errors.New("no luck")
	y := rt.NewValue(8)
	sum := &Task{Name: "sum", In: x.Out, Out: []*Value{y}, CPU: func(out, in [][]byte) error {
		if fail != nil {
			return fail
		}
		total := 0
		for i := range 10 {
			total += at(in[0], i)
		}
		binary.LittleEndian.PutUint64(out[0], uint64(total))
		return nil
	}}
	p := Program{Tasks: []*Task{x, sum}, Want: []*Value{y}}
	if _, err := rt.Run(p); !errors.Is(err, fail) || !strings.Contains(err.Error(), "sum") {
		t.Errorf("error %v, want the task's name and its error", err)
	}
	if y.Done() {
		t.Error("the failed task's output counts as made")
	}
	fail = nil
	if _, err := rt.Run(p); err != nil || at(y.Host(), 0) != 110 {
		t.Errorf("again: %d, %v", at(y.Host(), 0), err)
	}
}

func TestInterrupt(t *testing.T) {
	rt := small(t, 1<<20)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	rt.Context = func() context.Context { return ctx }
	task := double(t, rt, rt.HostValue(ints(10, 1)))
	if _, err := rt.Run(Program{Tasks: []*Task{task}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	rt.Context = nil
	if _, err := rt.Run(Program{Tasks: []*Task{task}, Want: task.Out}); err != nil || at(task.Out[0].Host(), 0) != 2 {
		t.Errorf("afterwards: %v", err)
	}
}

func TestMovesBetweenDevices(t *testing.T) {
	rt := small(t, 1<<20)
	x := double(t, rt, rt.HostValue(ints(10, 1)))
	if _, err := rt.Run(Program{Tasks: []*Task{x}}); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, rt.Use("b"))
	y := double(t, rt, x.Out[0])
	if _, err := rt.Run(Program{Tasks: []*Task{y}, Want: y.Out}); err != nil || at(y.Out[0].Host(), 9) != 40 {
		t.Errorf("%v, %v", y.Out[0].Host(), err)
	}
	if err := rt.Use("c"); err == nil || !strings.Contains(err.Error(), "a, b") {
		t.Errorf("an unknown device: %v; want the names there are", err)
	}
}

// TestTraceHasTheGraph: x → double → double → host, and one value that was there before.
func TestTraceHasTheGraph(t *testing.T) {
	rt := small(t, 1<<20)
	x := rt.HostValue(ints(100, 5))
	first := double(t, rt, x)
	first.Ops = []trace.Op{{Name: "double", Args: []int{^0}}}
	second := double(t, rt, first.Out[0])
	log, err := rt.Run(Program{Tasks: []*Task{first, second}, Want: []*Value{second.Out[0]}})
	require.NoError(t, err)
	g := log.Graph()
	want := &trace.Graph{
		Tasks: []trace.Task{
			{Name: "double", Device: "sim:tiny#0", Ops: first.Ops, In: []int{0}, Out: []int{1}},
			{Name: "double", Device: "sim:tiny#0", In: []int{1}, Out: []int{2}},
		},
		Values: []trace.Value{{Bytes: 800, From: "host"}, {Bytes: 800}, {Bytes: 800, Wanted: true}},
	}
	if !reflect.DeepEqual(g, want) {
		t.Errorf("graph\n%+v, want\n%+v", g, want)
	}

	var ids []int // of copy in, kernels, copy out
	byID := map[int]trace.Event{}
	for _, e := range log.Events() {
		if _, ok := byID[e.ID]; ok || e.ID == 0 {
			t.Errorf("event %+v: its ID is not its own", e)
		}
		byID[e.ID] = e
	}
	for id := 1; id <= len(byID); id++ {
		if k := byID[id].Kind; k == trace.CopyIn || k == trace.CopyOut || k == trace.Kernel {
			ids = append(ids, id)
		}
	}
	if len(ids) != 4 {
		t.Fatalf("%d events of the device", len(ids))
	}
	for i, id := range ids {
		e := byID[id]
		if i == 0 && len(e.After) != 0 || i > 0 && !reflect.DeepEqual(e.After, []int{ids[i-1]}) {
			t.Errorf("%s comes after %v, want what went before it of %v", e.Kind, e.After, ids)
		}
		if task := []int{1, 1, 2, 0}[i]; e.Task != task {
			t.Errorf("%s belongs to task %d, want %d", e.Kind, e.Task, task)
		}
	}
	// x is not needed once it has been read, nor the value between; the last one is until the end.
	for i, n := range []int64{800, 1600, 1600, 800} {
		if got := byID[ids[i]].Needed; got != n {
			t.Errorf("event %d: %d bytes needed, want %d", i, got, n)
		}
	}
}

func TestGraphIsBounded(t *testing.T) {
	rt := small(t, 1<<20)
	var p Program
	v := rt.HostValue(ints(1, 0))
	for range maxGraph + 3 {
		task := double(t, rt, v)
		p.Tasks, v = append(p.Tasks, task), task.Out[0]
	}
	log, err := rt.Run(p)
	require.NoError(t, err)
	if g := log.Graph(); len(g.Tasks) != maxGraph || g.Dropped != 3 {
		t.Errorf("%d tasks, %d dropped", len(g.Tasks), g.Dropped)
	}
}

// Who makes a value while something runs does not wait for that: it may be what runs.
func TestReuseDoesNotWait(t *testing.T) {
	rt := small(t, 1<<20)
	<-rt.turn
	defer rt.release()
	rt.Reuse(1 << 30)
}
