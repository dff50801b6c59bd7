package placement

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// table is rates in GB/s; its last row and column are the host's.
type table [][]float64

func (t table) Rate(from, to int) float64 {
	at := func(m int) int { return (m + len(t)) % len(t) }
	return t[at(from)][at(to)]
}

// v100x8 is the measured rates of the paper's first machine, rounded down as its prototype does: two links, one,
// PCIe, and from the host.
func v100x8() table {
	t := make(table, 9)
	for i := range t {
		t[i] = make([]float64, 9)
		for j := range t[i] {
			t[i][j] = 8
			if i == 8 || j == 8 {
				t[i][j] = 11
			}
		}
	}
	for rate, pairs := range map[float64]string{48: "03 06 12 17 23 45 47 56", 24: "01 02 13 24 35 46 57 67"} {
		for _, pair := range strings.Fields(pairs) {
			i, j := pair[0]-'0', pair[1]-'0'
			t[i][j], t[j][i] = rate, rate
		}
	}
	return t
}

func planner(t *testing.T, devices int, policy Policy) *Planner {
	t.Helper()
	p, err := NewPlanner(Options{Devices: devices, Rates: v100x8(), Policy: policy, Whole: true})
	require.NoError(t, err)
	return p
}

func submit(t *testing.T, p *Planner, name string, accesses ...Access) *Vertex {
	t.Helper()
	v, _, err := p.Submit(name, accesses...)
	require.NoError(t, err)
	return v
}

func fields(name string, n, bytes int) []*Field {
	out := make([]*Field, n)
	for i := range out {
		out[i] = NewField(fmt.Sprint(name, i), 1, bytes)
	}
	return out
}

// devices is where launches went, a digit each.
func devices(vs []*Vertex) string {
	var b strings.Builder
	for _, v := range vs {
		fmt.Fprint(&b, v.Device)
	}
	return b.String()
}

// The tests of GrCUDA's round robin, with restricted sets of devices.
func TestRoundRobin(t *testing.T) {
	turn := 0
	for i, step := range []struct {
		among string
		want  int
	}{{"0123", 0}, {"0123", 1}, {"0123", 2}, {"0123", 3}, {"0123", 0}, {"0", 0}, {"0123", 2}, {"3", 3}, {"0123", 0}, {"13", 3}, {"12", 1}, {"01", 1}} {
		c := Candidates{turn: &turn, all: 4}
		for _, d := range step.among {
			c.Devices = append(c.Devices, int(d-'0'))
		}
		require.Equal(t, step.want, RoundRobin{}.Choose(c), "step %d", i)
	}
}

// A GB on GPU 0 and one on GPU 4 of the machine with eight V100: the times that the paper's formula gives, and what
// the threshold does.
func TestMinMaxTransferTime(t *testing.T) {
	of := func(devices int, args ...argument) Candidates {
		c := Candidates{arguments: args, rates: v100x8(), turn: new(int), all: 8}
		for d := range devices {
			c.Devices = append(c.Devices, d)
		}
		return c
	}
	gb := func(in ...int) argument { return argument{bytes: 1e9, in: MemoriesOf(in...), needs: true} }
	c := of(8, gb(0), gb(4))
	for d, want := range []float64{.125, .1667, .0833, .1458, .125, .1458, .0625, .1458} {
		require.InDelta(t, want, c.Seconds(d), 5e-5, "GPU %d", d)
	}
	require.Equal(t, 0, MinMaxTransferTime{.1}.Choose(of(8, gb(0), gb(4))))
	require.Equal(t, 6, MinMaxTransferTime{0}.Choose(of(8, gb(0), gb(4))))
	require.InDelta(t, 1/11., of(8, gb(CPU), gb(0)).Seconds(0), 1e-9)
	require.Equal(t, 0, MinMaxTransferTime{.1}.Choose(of(8, gb(CPU), gb(0))))
	require.Equal(t, 8., slowest(v100x8(), MemoriesOf(CPU, 0), 4), "the slowest way")
	require.Panics(t, func() { slowest(v100x8(), Memories{}, 0) })

	// What is exactly the threshold counts, what is less does not.
	most := func(bytes int64) Candidates {
		return of(4, argument{bytes: bytes, in: MemoriesOf(2)}, argument{bytes: 100 - bytes, in: MemoriesOf(CPU)})
	}
	require.Equal(t, 2, MinTransferSize{.1}.Choose(most(10)))
	require.Equal(t, 0, MinTransferSize{.1}.Choose(most(9)), "in turn")
	require.Equal(t, 0, MinTransferSize{0}.Choose(of(4, gb(CPU))), "in turn, as none has any")
	require.Equal(t, 1, MinTransferSize{.1}.Choose(of(4, gb(3), gb(1))), "the first of those that have as much")
	require.Equal(t, 3, KeyAffinity{}.Choose(of(4, argument{bytes: 2, in: MemoriesOf(3), key: true}, argument{bytes: 1, in: MemoriesOf(1)})))
}

func TestSource(t *testing.T) {
	for want, from := range map[int]Memories{0: MemoriesOf(CPU, 3, 0), 5: MemoriesOf(5, 1), 4: MemoriesOf(7, 4), CPU: MemoriesOf(CPU), 2: MemoriesOf(2, 3)} {
		require.Equal(t, want, Source(v100x8(), from, 6), from.String()) // 48 from 0 and 5, 24 from 4 and 7, 8 from the others
	}
	require.Equal(t, 4, Source(nil, MemoriesOf(CPU, 4), 6), "rates where there is a choice alone")
}
