package opt

import (
	"math"

	"github.com/arrayrepl/arrayrepl/kir"
)

// RoundedCall is a function of float64 of which float32 is asked and given: float32(math.Exp(float64(x))), as Go has to
// write it. It has the same bits as the function of float32 in internal/elementary.Rounded, which a machine without
// fast float64 takes in its place.
type RoundedCall struct {
	Name string       // in elementary.Rounded
	Args []*kir.Value // the float32s: values of the kernel, or constants that are not among them
}

// RoundedCalls are those of a kernel.
type RoundedCalls struct {
	Of map[*kir.Value]RoundedCall // by the conversion to float32 that gives the result
	// what is computed for nothing else: the function of float64, and the conversion of its argument
	Inner map[*kir.Value]bool
}

var roundedNames = [kir.NumOps]string{kir.OpExp: "exp", kir.OpExp2: "exp2", kir.OpLog: "log", kir.OpLog2: "log2", kir.OpLog10: "log10", kir.OpSin: "sin", kir.OpCos: "cos", kir.OpTanh: "tanh", kir.OpPow: "pow"}

// RoundedCallsOf finds those that take wants in float32: it gets the name, and the operations in whose place the
// function of float32 comes. The engine of this package, and all devices, compute what f says: which of the two they
// take does not show.
func RoundedCallsOf(f *kir.Func, take func(name string, ops []*kir.Value) bool) RoundedCalls {
	c := RoundedCalls{Of: map[*kir.Value]RoundedCall{}, Inner: map[*kir.Value]bool{}}
	var uses []int
	args := map[*kir.Value]int{} // of conversions of arguments: how many of their uses are in calls
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			name, inner, given := roundedCall(v)
			if name == "" || !take(name, inner) {
				continue
			}
			if uses == nil {
				uses = useCounts(f)
			}
			once := true
			for _, w := range inner {
				once = once && uses[w.ID] == 1
			}
			if !once {
				continue
			}
			call := RoundedCall{Name: name}
			for _, a := range given {
				call.Args = append(call.Args, float32Of(a))
				if a.Op == kir.OpConvert {
					args[a]++
				}
			}
			c.Of[v] = call
			for _, w := range inner {
				c.Inner[w] = true
			}
		}
	}
	for a, n := range args {
		if uses[a.ID] == n {
			c.Inner[a] = true
		}
	}
	return c
}

// float32Of returns the float32 of which a, of float64, has the value, or nil where there is none.
func float32Of(a *kir.Value) *kir.Value {
	switch {
	case a.Op == kir.OpConvert && a.Args[0].Type == kir.F32:
		return a.Args[0]
	case a.Op == kir.OpConst:
		x := kir.FloatOf(kir.F64, a.Imm)
		if float64(float32(x)) == x {
			return &kir.Value{Op: kir.OpConst, Type: kir.F32, Imm: uint64(math.Float32bits(float32(x)))}
		}
	}
	return nil
}

// roundedCall returns what v, a conversion to float32, rounds: the operations of float64, and what they are given,
// conversions from float32 and at most one constant.
func roundedCall(v *kir.Value) (name string, inner, args []*kir.Value) {
	if v.Op != kir.OpConvert || v.Type != kir.F32 || v.Args[0].Type != kir.F64 {
		return "", nil, nil
	}
	y := v.Args[0]
	switch {
	case roundedNames[y.Op] != "":
		name, inner, args = roundedNames[y.Op], []*kir.Value{y}, y.Args
	case y.Op == kir.OpDiv && y.Args[0].Op == kir.OpConst && kir.FloatOf(kir.F64, y.Args[0].Imm) == 1 && y.Args[1].Op == kir.OpSqrt:
		name, inner, args = "rsqrt", []*kir.Value{y, y.Args[1]}, y.Args[1].Args
	default:
		return "", nil, nil
	}
	variable := false
	for _, a := range args {
		if float32Of(a) == nil {
			return "", nil, nil
		}
		variable = variable || a.Op == kir.OpConvert
	}
	if !variable {
		return "", nil, nil
	}
	return name, inner, args
}

// useCounts returns how often each value is used, by ID.
func useCounts(f *kir.Func) []int {
	n := make([]int, f.NumValues())
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			for _, a := range v.Args {
				n[a.ID]++
			}
		}
		if blk.Term.Cond != nil {
			n[blk.Term.Cond.ID]++
		}
		for _, e := range blk.Term.Edges() {
			for _, a := range e.Args {
				n[a.ID]++
			}
		}
	}
	return n
}
