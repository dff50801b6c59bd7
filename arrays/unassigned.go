package arrays

// missing reports whether a is nil or the zero Array, which no function makes: a 0-d array has an element.
func (a *Array) missing() bool { return a == nil || a.data == nil && a.layout.Shape == nil }

// assigned panics with *Error when a was never assigned.
func (a *Array) assigned() {
	if a.missing() {
		panic(a.unassigned())
	}
}

func (a *Array) unassigned() *Error {
	if a == nil {
		return &Error{Msg: "an operand is a nil *Array; was it never assigned?"}
	}
	return &Error{Msg: "an operand is the zero Array; was it never assigned?"}
}

// noText is what is printed of an array that was never assigned.
const noText = "<nil>"
