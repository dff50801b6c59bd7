package simgpu

// Wiring is for the program that puts packages together: no cell needs it.
type Wiring struct{}

// SetMethods lets f find the method of a cell's type: a function that calls it, with its receiver and arguments, faster
// than it is called through an interface; nil where there is none. One goroutine at a time calls that function. It is
// set before machines run. Without f all are called through their interfaces.
func (Wiring) SetMethods(f func(v any, name string) func(args []any) any) { findMethod = f }

var findMethod func(v any, name string) func(args []any) any

// pickerCall calls a Picker again and again, for one scheduler.
type pickerCall struct {
	picker Picker
	method func(args []any) any // where it is of a cell
	args   [4]any
	given  []Cand // what the third of them holds
}

func newPickerCall(p Picker) *pickerCall {
	c := &pickerCall{picker: p}
	if c.args[0] = p; findMethod != nil {
		c.method = findMethod(p, "Pick")
	}
	return c
}

func (p *pickerCall) pick(now int64, c []Cand, e *Env) int {
	if p.method == nil {
		return p.picker.Pick(now, c, e)
	}
	if len(p.given) != len(c) || &p.given[0] != &c[0] {
		p.given, p.args[2] = c, c
	}
	p.args[1], p.args[3] = now, e
	return p.method(p.args[:]).(int)
}
