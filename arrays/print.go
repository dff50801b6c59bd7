package arrays

import "strings"

// String returns a as NumPy's str(a) does: columns aligned, long axes shortened with "..." above 1000 elements, as
// [SetPrintOptions] has it. A 0-d array prints as its element.
func (a *Array) String() string {
	if a.missing() {
		return noText
	}
	if a.NDim() == 0 {
		return a.scalarString()
	}
	return a.format(currentPrint(), " ", "", "")
}

// GoString returns a as NumPy's repr(a) does: array([1., 2.]), with shape and dtype where the elements do not show
// them.
func (a *Array) GoString() string {
	if a.missing() {
		return noText
	}
	const prefix, suffix = "array(", ")"
	opts := currentPrint()
	text := prefix + a.format(opts, ", ", prefix, suffix)
	var extras []string
	shape := strings.ReplaceAll(shapeString(a.layout.Shape), ",", ", ")
	shape = strings.Replace(shape, ", )", ",)", 1)
	if a.Size() > opts.threshold || a.Size() == 0 && !(a.NDim() == 1) {
		extras = append(extras, "shape="+shape)
	}
	switch name := a.dtype.String(); {
	case a.dtype.class() == classString || a.dtype.IsTime():
		extras = append(extras, "dtype='"+name+"'")
	case a.dtype == StringDType || a.Size() == 0 || a.dtype != Bool && a.dtype != Int64 && a.dtype != Float64 && a.dtype != Complex128: // these are what literals give
		extras = append(extras, "dtype="+name)
	}
	if len(extras) == 0 {
		return text + suffix
	}
	text += ","
	extra := strings.Join(extras, ", ") + suffix
	lastLine := len(text) - (strings.LastIndexByte(text, '\n') + 1)
	if lastLine+len(extra)+1 > opts.lineWidth {
		return text + "\n" + strings.Repeat(" ", len(prefix)) + extra
	}
	return text + " " + extra
}

// format writes the nested brackets; prefix is what stands before them on the first line, suffix after the last.
func (a *Array) format(opts printOptions, separator, prefix, suffix string) string {
	if a.Size() == 0 {
		return "[]"
	}
	shorten := a.Size() > opts.threshold
	p := printer{shape: a.layout.Shape, separator: separator, edge: opts.edgeItems, shorten: shorten}
	p.words = a.words(p.positions(nil, a.layout, 0, a.layout.Offset), opts)
	if a.NDim() == 0 {
		return p.words[0]
	}
	return p.nested(0, strings.Repeat(" ", len(prefix)+1), opts.lineWidth-len(suffix))
}

// printer lays out words, the formatted elements in the order in which they are shown.
type printer struct {
	shape     []int
	separator string
	edge      int
	shorten   bool
	words     []string
}

// cut reports whether the middle of an axis is left out.
func (p *printer) cut(axis int) bool { return p.shorten && p.shape[axis] > 2*p.edge }

// positions appends the storage positions of the elements that are shown, in C order.
func (p *printer) positions(out []int, l Layout, axis, at int) []int {
	if axis == len(p.shape) {
		return append(out, at)
	}
	for i := 0; i < p.shape[axis]; i++ {
		if i == p.edge && p.cut(axis) {
			i = p.shape[axis] - p.edge
		}
		out = p.positions(out, l, axis+1, at+i*l.Strides[axis])
	}
	return out
}

// nested writes the brackets of one axis; indent is what its continuation lines begin with, width the room of a line.
func (p *printer) nested(axis int, indent string, width int) string {
	last := len(p.shape) - 1
	if axis == last {
		return "[" + p.row(indent, width-1) + "]" // one column is kept for a bracket or a comma
	}
	between := strings.TrimRight(p.separator, " ") + strings.Repeat("\n", last-axis) + indent
	var parts []string
	for i := 0; i < p.shape[axis]; i++ {
		if i == p.edge && p.cut(axis) {
			parts = append(parts, "...")
			i = p.shape[axis] - p.edge
		}
		parts = append(parts, p.nested(axis+1, indent+" ", width-1))
	}
	return "[" + strings.Join(parts, between) + "]"
}

// row writes the next words as one row of the last axis, broken into lines no longer than width where words allow it.
func (p *printer) row(indent string, width int) string {
	size, axis := p.shape[len(p.shape)-1], len(p.shape)-1
	var lines []string
	line := indent
	add := func(word string) {
		if len(line)+len(word) > width && len(line) > len(indent) {
			lines = append(lines, strings.TrimRight(line, " "))
			line = indent
		}
		line += word
	}
	for i := 0; i < size; i++ {
		if i == p.edge && p.cut(axis) {
			add("...")
			line += p.separator
			i = size - p.edge
		}
		add(p.words[0])
		p.words = p.words[1:]
		if i < size-1 {
			line += p.separator
		}
	}
	return strings.Join(append(lines, line), "\n")[len(indent):]
}
