package placement

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// The paper's workloads with partitions by hand, as its authors' code has them: what is const there is read, which
// for some (marked) is not true, all else is updated.

// run submits what a workload tells of, and returns the launches.
type run struct {
	*Planner
	t  *testing.T
	vs []*Vertex
}

func (r *run) launch(name string, accesses ...Access) {
	r.vs = append(r.vs, submit(r.t, r.Planner, name, accesses...))
}

func (r *run) edges() (n int) {
	for _, v := range r.vs {
		n += len(v.Parents)
	}
	return n
}

func vec(r *run, n, parts int) {
	for i := range parts {
		x, y := NewField("x", 4, n/parts), NewField("y", 4, n/parts)
		x1, y1, res := NewField("x1", 4, n/parts), NewField("y1", 4, n/parts), NewField("res", 4, 1)
		r.launch(fmt.Sprint("square", i), Reads(x), Updates(x1))
		r.launch(fmt.Sprint("square", i), Reads(y), Updates(y1))
		r.launch(fmt.Sprint("reduce", i), Reads(x1), Reads(y1), Updates(res))
	}
}

// bs is the options of so many vectors, each by one kernel, over prices that the host reads.
func bs(r *run, n, vectors int) {
	for i := range vectors {
		x, y := NewField("x", 8, n), NewField("y", 8, n)
		r.launch(fmt.Sprint("bs", i), Reads(x), Updates(y))
		r.HostRead(y, nil)
	}
}

// cgInBoxes is cg without a false const: each product writes its rows of y, and reads what there is of p.
func cgInBoxes(r *run, n, parts int) {
	a := make([]*Field, parts)
	x, b, res, p, y := NewField("x", 4, n), NewField("b", 4, n), NewField("r", 4, n), NewField("p", 4, n), NewField("y", 4, n)
	t1, t2 := NewField("t1", 4, 1), NewField("t2", 4, 1)
	rows := func(f *Field, i int, mode Mode) Access {
		return Access{f, partition.Box{partition.Span(i*n/parts, (i+1)*n/parts)}, mode}
	}
	for i := range parts {
		a[i] = NewField("A", 4, n/parts, n)
		r.launch("precondition", Updates(a[i]))
	}
	for i := range parts {
		r.launch("mmul", Reads(a[i]), Reads(x), rows(b, i, Read), rows(res, i, Write))
	}
	r.launch("copy", Writes(p), Reads(res))
	r.launch("norm", Reads(res), Writes(t1))
	for range 50 {
		for i := range parts {
			r.launch("mmul", Reads(a[i]), Reads(p), rows(y, i, Write))
		}
		r.launch("dot", Reads(p), Reads(y), Writes(t2))
		r.HostRead(t1, nil)
		r.HostRead(t2, nil)
		r.launch("axpy", Updates(x), Reads(p))
		r.launch("axpy", Updates(res), Reads(y))
		r.launch("norm", Reads(res), Writes(t1))
		r.HostRead(t1, nil)
		r.launch("axpy", Updates(p), Reads(res))
	}
}

func mul(r *run, n, parts int) {
	x, out := NewField("x", 4, n), NewField("out", 4, n)
	z := fields("z", parts, 4*n/parts)
	for i := range parts {
		r.launch(fmt.Sprint("mul", i), Reads(NewField("A", 4, n/parts, n)), Reads(x), Updates(z[i]))
	}
	for i := range parts {
		r.launch(fmt.Sprint("copy", i), Reads(z[i]), Updates(out))
	}
}

func cg(r *run, n, parts int) {
	a := make([]*Field, parts)
	x, b, res, p, y := NewField("x", 4, n), NewField("b", 4, n), NewField("r", 4, n), NewField("p", 4, n), NewField("y", 4, n)
	t1, t2 := NewField("t1", 4, 1), NewField("t2", 4, 1)
	for i := range parts {
		a[i] = NewField("A", 4, n/parts, n)
		r.launch("precondition", Updates(a[i]))
	}
	for i := range parts {
		r.launch("mmul", Reads(a[i]), Reads(x), Reads(b), Reads(res)) // r is written
	}
	r.launch("copy", Updates(p), Reads(res))
	r.launch("norm", Reads(res), Updates(t1))
	for range 50 {
		for i := range parts {
			r.launch("mmul", Reads(a[i]), Reads(p), Reads(y)) // y is written
		}
		r.launch("dot", Reads(p), Updates(y), Updates(t2))
		r.HostRead(t1, nil)
		r.HostRead(t2, nil)
		r.launch("axpy", Updates(x), Reads(p))
		r.launch("axpy", Updates(res), Reads(y))
		r.launch("norm", Reads(res), Updates(t1))
		r.HostRead(t1, nil)
		r.launch("axpy", Updates(p), Reads(res))
	}
}

// ml is both classifiers, with the last stage of the ridge before or after the first of the Bayes one.
func ml(r *run, rows, features, classes, parts int, ridgeFirst bool) {
	x, z := make([]*Field, parts), make([]*Field, parts)
	mean, std := fields("mean", parts, 4*features), fields("std", parts, 4*features)
	for i := range parts {
		x[i], z[i] = NewField("x", 4, rows/parts, features), NewField("z", 4, rows/parts, features)
	}
	w, f, b, l := NewField("W", 4, classes, features), NewField("F", 4, classes, features), NewField("b", 4, classes), NewField("l", 4, rows)
	r1, r2, amax, out := NewField("r1", 4, rows, classes), NewField("r2", 4, rows, classes), NewField("amax", 4, rows), NewField("out", 4, rows)
	for i := range parts {
		r.launch("rr1", Reads(x[i]), Updates(mean[i]), Updates(std[i]))
	}
	for i := range parts {
		r.launch("rr11", Updates(mean[0]), Updates(std[0]), Reads(mean[i]), Reads(std[i]))
	}
	for i := range parts {
		r.launch("rr12", Reads(x[i]), Updates(z[i]), Reads(mean[0]), Reads(std[0]))
	}
	for i := range parts {
		r.launch("rr2", Reads(z[i]), Reads(w), Reads(r2)) // r2 is written
	}
	ridge := func() {
		r.launch("rr3", Reads(b), Updates(r2))
		r.launch("softmax", Updates(r2))
	}
	if ridgeFirst {
		ridge()
	}
	for i := range parts {
		r.launch("nb1", Reads(x[i]), Reads(f), Reads(r1)) // r1 is written
	}
	r.launch("nb2", Reads(r1), Updates(amax))
	r.launch("nb3", Reads(r1), Reads(amax), Updates(l))
	r.launch("nb4", Updates(r1), Reads(l))
	r.launch("softmax", Updates(r1))
	if !ridgeFirst {
		ridge()
	}
	r.launch("argmax", Reads(r1), Reads(r2), Updates(out))
}

// TestWorkloads has the counts of kernels and the bytes of whole arrays that are copied on the machine with eight
// V100, computed for GrCUDA's rules by a program that is not this one.
func TestWorkloads(t *testing.T) {
	policies := []Policy{RoundRobin{}, MinTransferSize{.1}, MinMaxTransferTime{.1}}
	for _, c := range []struct {
		name    string
		run     func(*run)
		kernels int
		host    float64    // MB from the host
		peer    [3]float64 // MB between devices, by policy
		digits  int        // of MB after the point
	}{
		{"MUL", func(r *run) { mul(r, 20_000, 16) }, 32, 1600.240, [3]float64{1.310, 0.630, 0.630}, 3},
		{"CG", func(r *run) { cg(r, 20_000, 16) }, 1084, 1600.400, [3]float64{11269.600, 57.680, 57.680}, 3},
		{"ML", func(r *run) { ml(r, 1_000_000, 1024, 16, 16, false) }, 87, 8332, [3]float64{1221, 897, 897}, 0},
		{"ML, the ridge first", func(r *run) { ml(r, 1_000_000, 1024, 16, 16, true) }, 87, 8332, [3]float64{5317, 897, 897}, 0},
	} {
		for i, policy := range policies {
			t.Run(c.name+", "+policy.Name(), func(t *testing.T) {
				r := &run{Planner: planner(t, 8, policy), t: t}
				c.run(r)
				s := r.Stats()
				require.Equal(t, c.kernels, s.Launches)
				within := 0.5001 * map[int]float64{0: 1, 3: 1e-3}[c.digits]
				require.InDelta(t, c.host, float64(s.HostToDevice)/1e6, within)
				require.InDelta(t, c.peer[i], float64(s.DeviceToDevice)/1e6, within)
			})
		}
	}
}

// TestOptionsKeepApart: 24 kernels, of which none needs another's results; nothing goes between devices.
func TestOptionsKeepApart(t *testing.T) {
	for _, policy := range policies(.1) {
		r := &run{Planner: planner(t, 8, policy), t: t}
		bs(r, 10_000_000, 24)
		s := r.Stats()
		require.Equal(t, []int64{24, 0}, []int64{int64(s.Launches), s.DeviceToDevice}, policy.Name())
		require.Zero(t, r.edges(), policy.Name())
		require.Equal(t, int64(24*80_000_000), s.DeviceToHost, policy.Name())
	}
}

// TestBoxesNeedNoFalseConst: with boxes for units, CG's products write their own rows, side by side, and at most 0.6 of
// the bytes go between the devices that go with whole arrays and const where it is not true.
func TestBoxesNeedNoFalseConst(t *testing.T) {
	whole := &run{Planner: planner(t, 8, MinMaxTransferTime{.1}), t: t}
	cg(whole, 20_000, 16)
	for _, policy := range []Policy{MinTransferSize{.1}, MinMaxTransferTime{.1}} {
		p, err := NewPlanner(Options{Devices: 8, Rates: v100x8(), Policy: policy})
		require.NoError(t, err)
		boxes := &run{Planner: p, t: t}
		cgInBoxes(boxes, 20_000, 16)
		require.Equal(t, 1084, boxes.Stats().Launches)
		t.Logf("%s: %.3f MB between devices, and %.3f with whole arrays", policy.Name(), float64(boxes.Stats().DeviceToDevice)/1e6, float64(whole.Stats().DeviceToDevice)/1e6)
		require.LessOrEqual(t, float64(boxes.Stats().DeviceToDevice), 0.6*float64(whole.Stats().DeviceToDevice), policy.Name())
		on := map[int]bool{}
		for _, v := range boxes.vs {
			if v.Name == "mmul" {
				on[v.Device] = true
				for _, u := range v.Parents {
					require.NotEqual(t, "mmul", u.Name, "products wait for one another")
				}
			}
		}
		require.Len(t, on, 8, policy.Name())
	}
}

func TestRoundRobinTakesParentsDevices(t *testing.T) {
	r := &run{Planner: planner(t, 8, RoundRobin{}), t: t}
	mul(r, 20_000, 16)
	require.Equal(t, "01234567012345670113355701133557", devices(r.vs))
}

func TestVectorsOnTwoDevices(t *testing.T) {
	for policy, want := range map[Policy]string{RoundRobin{}: "010101010101", MinTransferSize{.1}: "010010010010", MinMaxTransferTime{.1}: "010010010010"} {
		r := &run{Planner: planner(t, 2, policy), t: t}
		vec(r, 4_000_000, 4)
		require.Equal(t, want, devices(r.vs), policy.Name())
		require.Equal(t, 8, r.edges())
		require.Len(t, r.streams, 8)
	}
	r := &run{Planner: planner(t, 8, RoundRobin{}), t: t}
	vec(r, 16_000_000, 16)
	require.Len(t, r.vs, 48)
}
