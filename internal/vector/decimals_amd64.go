package vector

import "golang.org/x/sys/cpu"

var hasDecimals = hasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2

// Read goes on to the first cell that is any other, or is too near to the end of the text, and up to where there is no
// more room. It may leave every cell to its caller: numbers of more than 15 digits that have no point or are 0, or lie
// between two float64; exponents that leave zeros at the end. The others are rounded to the nearest float64, and the
// even one of two.
func (d *Decimals) Read() {
	if hasDecimals {
		decimals(d)
	}
}

//go:noescape
func decimals(s *Decimals)
