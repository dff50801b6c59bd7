package arrays

import "fmt"

// timeForms says which operations dates and spans have: for the kinds of the operands (d date, s span, i int or bool, f
// float) what comes out (b bool). They are NumPy's.
var timeForms = map[Ufunc]map[string]byte{
	OpAdd:       {"ds": 'd', "sd": 'd', "di": 'd', "id": 'd', "ss": 's', "si": 's', "is": 's'},
	OpSub:       {"dd": 's', "ds": 'd', "di": 'd', "ss": 's', "si": 's', "is": 's'},
	OpMul:       {"si": 's', "is": 's', "sf": 's', "fs": 's'},
	OpDiv:       {"ss": 'f', "si": 's', "sf": 's'},
	OpFloorDiv:  {"ss": 'i', "si": 's', "sf": 's'},
	OpRemainder: {"ss": 's'},
	OpNeg:       {"s": 's'}, OpAbs: {"s": 's'}, OpSign: {"s": 's'},
	OpMinimum: timeChoice, OpMaximum: timeChoice, OpFMin: timeChoice, OpFMax: timeChoice,
	OpEqual: timeCompare, OpNotEqual: timeCompare, OpLess: timeCompare, OpLessEqual: timeCompare, OpGreater: timeCompare, OpGreaterEqual: timeCompare,
	OpIsNaN: timeTest, OpIsInf: timeTest, OpIsFinite: timeTest,
}

var (
	timeChoice  = map[string]byte{"dd": 'd', "ss": 's', "si": 's', "is": 's'}
	timeCompare = map[string]byte{"dd": 'b', "ss": 'b', "si": 'b', "is": 'b'}
	timeTest    = map[string]byte{"d": 'b', "s": 'b'}
)

// timeLetter is the kind of an operand in timeForms.
func timeLetter(d DType) string {
	switch {
	case d.isDate():
		return "d"
	case d.isSpan():
		return "s"
	case d.Kind() <= KindInt:
		return "i"
	case d.IsFloat():
		return "f"
	}
	return "?"
}

// resolveTime decides an operation with dates or spans among its operands. They compute on their counts, in the finest
// unit; what is multiplied or divided by a float computes in float64.
func (u Ufunc) resolveTime(in []Operand) (compute, out DType, err error) {
	form, names := "", ""
	var unit Unit
	var first DType // the first of dates or spans
	date := false
	for i, o := range in {
		d := o.DType
		form += timeLetter(d)
		if names += d.String(); i < len(in)-1 {
			names += " and "
		}
		date = date || d.isDate()
		switch {
		case !d.IsTime():
		case first == 0:
			first, unit = d, d.unit()
		default:
			unit, err = commonUnit(unit, d.unit(), first.isSpan(), d.isSpan())
		}
	}
	gives, ok := timeForms[u][form]
	switch {
	case !ok:
		return 0, 0, &Error{Msg: fmt.Sprintf("there is no such operation on %s; %s", names, timeHint)}
	case err != nil:
		return 0, 0, err
	}
	compute = TimeDelta(unit)
	if date {
		compute = DateTime(unit)
	}
	if form == "sf" || form == "fs" {
		compute = Float64
	}
	return compute, map[byte]DType{'d': DateTime(unit), 's': TimeDelta(unit), 'b': Bool, 'i': Int64, 'f': Float64}[gives], nil
}

const timeHint = "dates subtract to spans, spans add to dates and scale by numbers; AsType(Int64) counts the unit"
