package offload

import (
	"math"
	"strings"
	"testing"
	"time"
)

// plain is a split type that says nothing of what moving costs.
type plain struct{ broadcast }

func (plain) TransferCost(int) (float64, bool) { return 0, false }

func TestUnify(t *testing.T) {
	a, b := Generic("A"), Generic("B")
	rows := Combined("rows", nil) // any that is not generic
	columns := Combined("columns", nil)
	for _, c := range []struct {
		name  string
		ann   Annotation
		args  []Piece
		split bool
		n     int
		ret   string
		err   string
	}{
		{"one generic", Annotation{Args: Types(a, a), Ret: a}, []Piece{{nil, 5, true}, {nil, 5, true}}, true, 5, "rows", ""},
		{"stands for what made the first", Annotation{Args: Types(a, a), Ret: a}, []Piece{{columns, 5, true}, {columns, 5, true}}, true, 5, "columns", ""},
		{"made alike or not", Annotation{Args: Types(a, a), Ret: a}, []Piece{{columns, 5, true}, {nil, 5, true}}, false, 5, "columns", ""},
		{"other numbers", Annotation{Args: Types(a, a), Ret: a}, []Piece{{nil, 5, true}, {nil, 4, true}}, false, 0, "", "5 rows, another 4 rows"},
		{"two generics", Annotation{Args: Types(a, b), Ret: b}, []Piece{{nil, 5, true}, {columns, 5, true}}, true, 5, "columns", ""},
		{"two generics of other numbers", Annotation{Args: Types(a, b), Ret: b}, []Piece{{nil, 5, true}, {nil, 4, true}}, false, 5, "rows", ""},
		{"broadcast", Annotation{Args: Types(a, Broadcast), Ret: a}, []Piece{{nil, 5, true}, {nil, 3, true}}, true, 5, "rows", ""},
		{"whole", Annotation{Args: Types(a), Ret: a, Whole: true}, []Piece{{nil, 5, true}}, false, 5, "rows", ""},
		{"one that cannot be split", Annotation{Args: Types(a, b), Ret: a}, []Piece{{nil, 5, true}, {nil, 5, false}}, false, 5, "rows", ""},
		{"more arguments than types", Annotation{Args: Types(a), Ret: a}, []Piece{{nil, 5, true}, {nil, 9, true}}, true, 5, "rows", ""},
	} {
		got, err := c.ann.Unify(c.args, rows)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want %q", c.name, err, c.err)
			}
			continue
		}
		if err != nil || got.Split != c.split || got.Elements != c.n || got.Ret.Name() != c.ret {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

// TestChooseFlips: with the constants of the paper's truncated SVD the CPU is chosen below 2^14 elements, and the
// device from there on; without any of the costs the device always.
func TestChooseFlips(t *testing.T) {
	f := func() {}
	svd := Annotation{CPU: f, GPU: f, Cost: LinearCompute(2, 0, 0, 14)}
	data := WithTransfer(plain{}, Linear{1, 0})
	for k := 1; k < 24; k++ {
		for n, want := range map[int]bool{1<<k - 1: k > 14, 1 << k: k >= 14, 1<<k + 1: k >= 14} {
			if c := svd.Choose(n, []Moved{{Type: data, Elements: n}}); c.GPU != want || len(c.Candidates) != 2 {
				t.Errorf("%d elements: on the device: %v (%s)", n, c.GPU, c.Why)
			}
		}
	}
	if c := svd.Choose(2, []Moved{{Type: plain{}, Elements: 2}}); !c.GPU || !strings.Contains(c.Why, "not known") {
		t.Errorf("without a cost of moving: %+v", c)
	}
	if c := (&Annotation{CPU: f, GPU: f}).Choose(2, nil); !c.GPU {
		t.Errorf("without costs: %+v", c)
	}
	if c := (&Annotation{CPU: f}).Choose(1<<30, nil); c.GPU {
		t.Errorf("for the CPU alone: %+v", c)
	}
}

// TestCalibrate: times of 2 ms and 3 ns an element, with 5 % of noise, are found again.
func TestCalibrate(t *testing.T) {
	calls := 0
	m := Calibrate(func(n int) time.Duration {
		calls++
		noise := 1 + 0.05*math.Sin(float64(7*calls))
		return time.Duration((2e-3 + 3e-9*float64(n)) * noise * 1e9)
	}, 1<<10, 1<<16, 1<<20, 1<<22, 1<<24)
	for _, n := range []int{1 << 10, 1 << 18, 1 << 24} {
		want := 2e-3 + 3e-9*float64(n)
		if got := m.Of(n); math.Abs(got-want) > 0.05*want {
			t.Errorf("%d elements: %v s, want %v", n, got, want)
		}
	}
	if m := fit([]float64{1, 2, 3}, []float64{3, 2, 1}); m.PerElement != 0 || m.Base <= 0 {
		t.Errorf("falling times: %+v", m)
	}
}
