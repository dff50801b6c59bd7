package arrays

import "sync/atomic"

// printOptions are NumPy's, by its names.
type printOptions struct {
	precision int // digits after the point at most
	suppress  bool
	threshold int // elements above which the middle of long axes is left out
	edgeItems int // elements left at each end of such an axis
	lineWidth int
}

// defaultPrint is numpy.get_printoptions().
var defaultPrint = printOptions{precision: 8, threshold: 1000, edgeItems: 3, lineWidth: 75}

var setPrint atomic.Pointer[printOptions] // nil as long as nobody has set any

func currentPrint() printOptions {
	if p := setPrint.Load(); p != nil {
		return *p
	}
	return defaultPrint
}

// PrintOption changes how arrays are written by String and GoString: see [Precision], [Suppress], [Threshold],
// [EdgeItems] and [LineWidth]. They are those of numpy.set_printoptions.
type PrintOption func(*printOptions)

// Precision sets the digits after the point of a float, 8 otherwise; fewer are shown where they tell all values apart.
func Precision(n int) PrintOption { return func(o *printOptions) { o.precision = max(n, 0) } }

// Suppress says whether small floats are shown as 0.0001 or 0. rather than with exponents; those from 1e8 on have
// exponents all the same.
func Suppress(on bool) PrintOption { return func(o *printOptions) { o.suppress = on } }

// Threshold sets the number of elements above which the middle of long axes is left out, 1000 otherwise.
func Threshold(n int) PrintOption { return func(o *printOptions) { o.threshold = max(n, 0) } }

// EdgeItems sets how many elements are shown at each end of an axis whose middle is left out, 3 otherwise.
func EdgeItems(n int) PrintOption { return func(o *printOptions) { o.edgeItems = max(n, 0) } }

// LineWidth sets how many characters a line has at most, 75 otherwise. A single element may be longer.
func LineWidth(n int) PrintOption { return func(o *printOptions) { o.lineWidth = n } }

// SetPrintOptions changes how arrays are written from now on, as numpy.set_printoptions does; what is not named stays.
// Without any option all are again as they were at first.
func SetPrintOptions(opts ...PrintOption) {
	p := currentPrint()
	if len(opts) == 0 {
		p = defaultPrint
	}
	for _, opt := range opts {
		opt(&p)
	}
	setPrint.Store(&p)
}
