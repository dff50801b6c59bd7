package partition

// Range is the indices Start, Start+Step, … below Stop along one axis. Those that the functions of this package return
// have a Step of at least 1, a Stop just behind the last index, and are the zero Range where they are empty.
type Range struct{ Start, Stop, Step int }

// Span is every index from start to stop-1.
func Span(start, stop int) Range { return Every(start, stop, 1) }

// Every is start, start+step, … below stop; step is at least 1.
func Every(start, stop, step int) Range {
	if stop <= start {
		return Range{}
	}
	n := (stop - start + step - 1) / step
	if n == 1 {
		step = 1
	}
	return Range{start, start + (n-1)*step + 1, step}
}

// Len is the number of indices.
func (r Range) Len() int {
	if r.Stop <= r.Start {
		return 0
	}
	if r.Step == 1 { // most are, and a division takes longer than all else here
		return r.Stop - r.Start
	}
	return (r.Stop-r.Start-1)/r.Step + 1
}

// Last is the largest index of a range that is not empty.
func (r Range) Last() int { return r.Stop - 1 }

// Has reports whether i is one of r.
func (r Range) Has(i int) bool { return r.Start <= i && i < r.Stop && (i-r.Start)%r.Step == 0 }

// Contains reports whether all of o are in r.
func (r Range) Contains(o Range) bool {
	switch n := o.Len(); {
	case n == 0:
		return true
	case r.Len() == 0 || !r.Has(o.Start) || !r.Has(o.Last()):
		return false
	default:
		return n == 1 || o.Step%r.Step == 0
	}
}

// Meet is the indices that are in both.
func (r Range) Meet(o Range) Range {
	if r.Len() == 0 || o.Len() == 0 {
		return Range{}
	}
	lo, hi := max(r.Start, o.Start), min(r.Stop, o.Stop)
	if lo >= hi || r.Step == 1 && o.Step == 1 { // most are
		return Span(lo, hi)
	}
	g, x, _ := euclid(r.Step, o.Step)
	if (o.Start-r.Start)%g != 0 {
		return Range{}
	}
	// r.Start + r.Step·k = o.Start modulo o.Step; k is found modulo o.Step/g, so that nothing becomes larger than a
	// product of steps.
	m := o.Step / g
	k := mod(mod((o.Start-r.Start)/g, m)*mod(x, m), m)
	step := r.Step * m
	first := r.Start + r.Step*k
	first += (max(lo-first, 0) + step - 1) / step * step
	return Every(first, hi, step)
}

// Hull is the smallest range that contains both.
func (r Range) Hull(o Range) Range {
	if r.Len() == 0 {
		return o
	}
	if o.Len() == 0 {
		return r
	}
	if r.Step == 1 && o.Step == 1 && (r.Len() > 1 || o.Len() > 1) {
		return Span(min(r.Start, o.Start), max(r.Stop, o.Stop))
	}
	step := 0
	for _, x := range []Range{r, o} {
		if x.Len() > 1 {
			step = gcd(step, x.Step)
		}
	}
	step = gcd(step, o.Start-r.Start)
	return Every(min(r.Start, o.Start), max(r.Stop, o.Stop), max(step, 1))
}

// Without is what of r is not in o, as ranges that do not meet: at most one before, one behind, and o.Step/r.Step - 1
// between.
func (r Range) Without(o Range) []Range { return r.without(nil, o) }

// without appends what Without returns to out.
func (r Range) without(out []Range, o Range) []Range {
	m := r.Meet(o)
	if m.Len() == 0 {
		if r.Len() > 0 {
			out = append(out, r)
		}
		return out
	}
	put := func(x Range) {
		if x.Len() > 0 {
			out = append(out, x)
		}
	}
	put(Every(r.Start, m.Start, r.Step))
	if m.Len() > 1 {
		for at := m.Start + r.Step; at < m.Start+m.Step; at += r.Step {
			put(Every(at, m.Last(), m.Step))
		}
	}
	put(Every(m.Last()+r.Step, r.Stop, r.Step))
	return out
}

func mod(a, m int) int { return ((a % m) + m) % m }

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// euclid returns the greatest common divisor g of a and b, both positive, and x, y with a·x + b·y = g.
func euclid(a, b int) (g, x, y int) {
	if b == 0 {
		return a, 1, 0
	}
	g, x, y = euclid(b, a%b)
	return g, y, x - a/b*y
}
