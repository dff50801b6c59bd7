package vector

import "unsafe"

//go:generate go run -C asm . -part decimals -out ../decimals_amd64.s

// Decimals reads lines of decimal numbers, as many cells in each, to float64: a minus or none, 19 digits at most and
// perhaps a point among them, perhaps an exponent; a space may precede all but a line's first. A comma ends a cell, the
// last of a line \n or \r\n. The loop knows where the fields are.
type Decimals struct {
	Text, Into unsafe.Pointer
	// Powers is a table for 0 to 40 places after the point: 10^k as an integer and as a float64 (up to 22, exact), the
	// 64 highest bits of its reciprocal, and the exponent's field of 2^(2-n), where 10^k has n bits.
	Powers unsafe.Pointer
	At     int            // where the next cell begins, DecimalsBehind at least
	Last   unsafe.Pointer // the last place in the text where DecimalsAhead bytes follow
	To     int            // where its number goes: bytes from Into
	Cells  int            // how many are left in its line
	Begun  int            // where that line began
	Row    int            // where its first number went
	Lines  int            // how many lines there is room for, that one among them; 1 at least
	Width  int            // cells in a line
	Cell   int            // bytes between the numbers of cells side by side
	Line   int            // bytes between those of lines
	Comma  int
	Points unsafe.Pointer // Width+1 bytes: that of Cells becomes 1 where a number has a point or an exponent
}

// Read looks at as many bytes before a cell and from it on at most, whatever they hold.
const DecimalsBehind, DecimalsAhead = 32, 40
