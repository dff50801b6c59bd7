package vector

import "unsafe"

// Product is what a tile of a matrix product does: K products are added to each element of the tile at C, whose rows
// lie Across bytes apart and whose columns are neighbours. Products are of A, rows Row bytes apart and steps Step
// bytes, with B, whose columns are neighbours and steps Down bytes apart. Each is a fused multiply-add, in the order of
// the steps. K is at least 1. Of a New product C is not read: its elements begin at 0.
type Product struct {
	K         int
	A         unsafe.Pointer
	Row, Step int
	B         unsafe.Pointer
	Down      int
	C         unsafe.Pointer
	Across    int
	lanes     int // of a row's last register that count
	New       bool
}

// Tiles is the loops for tiles of one type: Rows x Columns elements at most.
type Tiles struct {
	Rows, Columns int
	size          int      // bytes of an element
	lane          int      // columns of a register
	kernels       []kernel // from the tallest on
	row           func(p *Product)
	rowColumns    int // of row
}

// kernel is the loops for tiles of some rows: of one register of which some lanes count, of two so, and of two full
// ones.
type kernel struct {
	rows  int
	forms [3]func(p *Product)
}

// Add computes p on a tile of so many rows and columns, at least 1. It changes p's A and C.
func (t *Tiles) Add(p *Product, rows, columns int) {
	form := 0
	p.lanes = columns
	if columns > t.lane {
		form = 1
		if p.lanes -= t.lane; p.lanes == t.lane {
			form = 2
		}
	}
	for i := 0; rows > 0; {
		k := &t.kernels[i]
		if rows < k.rows {
			i++
			continue
		}
		k.forms[form](p)
		if rows -= k.rows; rows > 0 {
			p.A, p.C = unsafe.Add(p.A, k.rows*p.Row), unsafe.Add(p.C, k.rows*p.Across)
		}
	}
}

// AddRow computes p on one row of any number of columns, at least 1. It changes p's B and C.
func (t *Tiles) AddRow(p *Product, columns int) {
	for {
		n := min(columns, t.Columns)
		if columns >= t.rowColumns {
			n = t.rowColumns
			t.row(p)
		} else {
			t.Add(p, 1, n)
		}
		if columns -= n; columns == 0 {
			return // a pointer behind the last element would keep what lies there
		}
		p.B, p.C = unsafe.Add(p.B, n*t.size), unsafe.Add(p.C, n*t.size)
	}
}

// Dot returns the sum of products of so many steps of 32 elements, and of 32 more at endX and endY unless that is nil:
// 32 chains of fused multiply-adds, one for each place in a step, of which then the second half is added to the first
// until one number is left.
type Dot[T float32 | float64] func(steps int, x, y, endX, endY *T) T

// DotFloat64 returns the loop for float64, nil where the processor has none.
func DotFloat64() Dot[float64] { return dotFloat64() }

// DotFloat32 returns the loop for float32, nil where the processor has none.
func DotFloat32() Dot[float32] { return dotFloat32() }

// TilesFloat64 returns the loops for tiles of float64, nil where the processor has none.
func TilesFloat64() *Tiles { return tilesFloat64() }

// TilesFloat32 returns the loops for tiles of float32, nil where the processor has none.
func TilesFloat32() *Tiles { return tilesFloat32() }

// Lines is what [Dot] does of LinesAtOnce lines: Steps steps of 32 elements of X and of each line, the first at Y and
// the others Across bytes further each, and a last step of the Rest elements behind them, fewer than 32. Out gets the
// sums.
type Lines struct {
	Steps  int
	X, Y   unsafe.Pointer
	Across int
	Rest   int
	Out    unsafe.Pointer
}

// LinesAtOnce is how many lines Lines has.
const LinesAtOnce = 4

// LinesFloat64 returns the loop for float64, nil where the processor has none.
func LinesFloat64() func(*Lines) { return linesFloat64() }

// LinesFloat32 returns the loop for float32, nil where the processor has none.
func LinesFloat32() func(*Lines) { return linesFloat32() }
