package errors

// AsType finds the first error in err's tree that is an E, as errors.As does.
func AsType[E error](err error) (E, bool) {
	var none E
	for err != nil {
		if e, ok := err.(E); ok {
			return e, true
		}
		if x, ok := err.(interface{ As(any) bool }); ok {
			if e := new(E); x.As(e) {
				return *e, true
			}
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			for _, err := range x.Unwrap() {
				if e, ok := AsType[E](err); ok {
					return e, true
				}
			}
			return none, false
		default:
			return none, false
		}
	}
	return none, false
}
