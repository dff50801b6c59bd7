package puzzle

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/puzzle/internal/answers"
	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	_ "github.com/arrayrepl/arrayrepl/simgpu" // has the judge
	"github.com/arrayrepl/arrayrepl/viz"
)

// judge is the machine on which runs with a limit are counted, whatever np.Use has chosen.
const judge = "sim:v100"

// Result is what [Check] found.
type Result struct {
	Number int
	Passed bool
	// What is wrong, in one to four lines, and what to do about it; of a kernel that passed, what it cost.
	Text string

	name     string
	accesses *trace.Accesses // of the run that failed, or of the smallest
}

// Check checks a kernel for puzzle n: its parameters, races and other mistakes by [gpu.Check], its result on the device
// that np.Use has chosen, and where the puzzle has a limit what it costs on sim:v100. It panics with *Error when there
// is no such puzzle, and with *gpu.Error when the kernel cannot be compiled.
//
// For example:
//
//	puzzle.Check(1, square) // says what is wrong, or that it is solved
func Check(n int, kernel any) *Result {
	p, answer := find(n)
	f, err := gosrc.FuncOf(kernel)
	if err != nil {
		panic(&gpu.Error{Err: err})
	}
	r := &Result{Number: n, name: p.name}
	if r.Text = signature(p, answer, f); r.Text != "" {
		return r
	}
	k := gpu.Kernel(f)
	var costs string
	for i, run := range p.runs {
		if found := gpu.Check(k, run.grid, run.block, run.args()...); len(found.List) > 0 {
			r.accesses = gpu.Accesses(k, run.grid, run.block, run.args()...)
			r.Text = fmt.Sprintf("In %s, %s", launch(run), mistake(found.List[0]))
			return r
		}
		got, want := run.args(), run.args()
		p.want(want)
		gpu.Launch(k, run.grid, run.block, got...).Eval()
		if at, index := differs(p, got, want); at >= 0 {
			r.accesses = gpu.Accesses(k, run.grid, run.block, run.args()...)
			r.Text = fmt.Sprintf("In %s, %s", launch(run), wrongElement(p, r.accesses, at, index, got, want))
			return r
		}
		if p.limit != nil && i == len(p.runs)-1 {
			var ok bool
			if costs, ok = cost(p.limit, k, run); !ok {
				r.accesses = gpu.Accesses(k, p.runs[0].grid, p.runs[0].block, p.runs[0].args()...)
				r.Text = costs
				return r
			}
		}
	}
	r.Passed, r.Text = true, costs
	r.accesses = gpu.Accesses(k, p.runs[0].grid, p.runs[0].block, p.runs[0].args()...)
	return r
}

// signature says what is wrong with the kernel's parameters, or nothing.
func signature(p *one, answer answers.Answer, f *gosrc.Func) string {
	k, err := f.Kernel(gosrc.Options{})
	if err != nil {
		panic(&gpu.Error{Kernel: f.Name, Err: err})
	}
	want, got := reflect.TypeOf(answer.Func), []string{}
	same := len(k.Params) == want.NumIn()
	for i, param := range k.Params {
		t := param.Type.String()
		got = append(got, t)
		same = same && i < want.NumIn() && t == want.In(i).String()
	}
	if same {
		return ""
	}
	return fmt.Sprintf("%s takes (%s); the puzzle's kernel takes (%s).", f.Name, strings.Join(got, ", "), p.params)
}

// mistake is a finding in a few lines.
func mistake(f gpu.Finding) string {
	s := f.Kind + ": " + f.What
	for _, a := range f.Accesses {
		s += "\n" + a
	}
	if f.Remedy != "" {
		s += "\nWhat to do: " + f.Remedy
	}
	return s
}

// differs returns the argument and the index of the first element that is not as it should be; -1 when all are.
func differs(p *one, got, want []any) (at, index int) {
	for _, at := range p.outputs {
		g, w := reflect.ValueOf(got[at]), reflect.ValueOf(want[at])
		for i := range w.Len() {
			if value(g.Index(i)) != value(w.Index(i)) {
				return at, i
			}
		}
	}
	return -1, 0
}

func value(v reflect.Value) float64 {
	if v.CanInt() {
		return float64(v.Int())
	}
	if f := v.Float(); !math.IsNaN(f) {
		return f
	}
	return math.Inf(1) // which differs from all that is expected, but not from itself
}

// wrongElement says which element is wrong, what it should be, and who wrote it.
func wrongElement(p *one, a *trace.Accesses, at, index int, got, want []any) string {
	name := strings.TrimSpace(strings.Split(strings.Split(p.params, " ")[at], ",")[0])
	total, bad := reflect.ValueOf(want[at]).Len(), 0
	for i := range total {
		if value(reflect.ValueOf(got[at]).Index(i)) != value(reflect.ValueOf(want[at]).Index(i)) {
			bad++
		}
	}
	s := fmt.Sprintf("%s[%d] should be %v and is %v; %d of %d elements are wrong.\n", name, index,
		reflect.ValueOf(want[at]).Index(index), reflect.ValueOf(got[at]).Index(index), bad, total)
	for k, array := range a.Arrays {
		if array.Shared || array.Name != name {
			continue
		}
		w, ok := a.Writer(k, index)
		if !ok {
			return s + "No thread wrote it."
		}
		return s + fmt.Sprintf("It was written by %s%s.", viz.ThreadName(a, w), readBy(a, w))
	}
	return s
}

// readBy says which elements of global memory the thread read that wrote w.
func readBy(a *trace.Accesses, w trace.Access) string {
	var reads []string
	for _, x := range a.List {
		if x.Block != w.Block || x.Thread != w.Thread || !x.Reads || x.Writes || a.Arrays[x.Array].Shared {
			continue
		}
		name := fmt.Sprintf("%s[%d]", a.Arrays[x.Array].Name, x.Index)
		if slices.Contains(reads, name) {
			continue
		}
		if len(reads) == 6 {
			reads = append(reads, "…")
			break
		}
		reads = append(reads, name)
	}
	if len(reads) == 0 {
		return ", which had read nothing from global memory"
	}
	return ", which had read " + strings.Join(reads, ", ")
}

// cost says what a run costs, and whether that is within the limit.
func cost(l *limit, k *gpu.Function, r run) (text string, ok bool) {
	args := append(r.args(), gpu.On(judge))
	report := gpu.Launch(k, r.grid, r.block, args...).Eval()
	n := l.count(report.Stats(), gpu.Accesses(k, r.grid, r.block, r.args()...))
	if n <= l.most {
		return fmt.Sprintf("%s in %s on %s; the limit is %d.", l.units(n), launch(r), judge, l.most), true
	}
	text = fmt.Sprintf("The result is right, but it takes %s in %s on %s; %d would do.\nWhat to do: %s.", l.units(n), launch(r), judge, l.most, l.because)
	if l.line != nil {
		worst := slices.MaxFunc(report.Lines().List, func(a, b gpu.LineCost) int { return cmp.Compare(l.line(&a), l.line(&b)) })
		text += fmt.Sprintf("\n%d of them are of %s: %s", l.line(&worst), worst.Pos, strings.TrimSpace(worst.Text))
	}
	return text, false
}

// Picture draws what the kernel's threads read and wrote: in the launch that failed, else in the smallest one. It is
// nil of a kernel with other parameters.
func (r *Result) Picture() *viz.Chart {
	if r.accesses == nil {
		return nil
	}
	return viz.Accesses(r.accesses)
}

// String says whether the puzzle is solved, and what is wrong.
func (r *Result) String() string {
	head := fmt.Sprintf("Puzzle %d, %s: ", r.Number, r.name)
	switch {
	case !r.Passed:
		return display.Wrapped(head + "not yet. " + r.Text)
	case r.Text == "":
		return head + "solved."
	}
	return display.Wrapped(head + "solved. " + r.Text)
}
