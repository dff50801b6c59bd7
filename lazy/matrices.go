package lazy

import (
	"fmt"
	"html"
	"reflect"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

func init() {
	display.Extend(showMatrix)
	display.CallPackage(reflect.TypeFor[Array]().PkgPath(), "np")
}

// maxMatrix is how many elements of a matrix are copied to show it; of a larger one the corner is.
const maxMatrix = 1 << 20

// showMatrix shows what has the methods of gonum's mat.Matrix, or of its CMatrix, as an array is shown.
func showMatrix(v any) (display.Bundle, bool) {
	shape, ok := v.(interface{ Dims() (r, c int) })
	if !ok {
		return display.Bundle{}, false
	}
	rv := reflect.ValueOf(v)
	if rv.Kind() == reflect.Pointer && rv.IsNil() {
		return display.Bundle{}, false
	}
	real, isReal := v.(interface{ At(i, j int) float64 })
	cmplx, isComplex := v.(interface{ At(i, j int) complex128 })
	if !isReal && !isComplex {
		return display.Bundle{}, false
	}
	rows, cols := shape.Dims()
	if rows < 0 || cols < 0 {
		return display.Bundle{}, false
	}
	name := display.TypeName(rv.Type())
	r, c, note := rows, cols, ""
	if cols > 0 && rows > maxMatrix/cols {
		r, c = min(rows, 4*tableEdge), min(cols, 4*tableEdge)
		note = fmt.Sprintf("; its first %d rows and columns", 4*tableEdge)
	}
	var a *arrays.Array
	if isReal {
		x := make([]float64, 0, r*c)
		for i := range r {
			for j := range c {
				x = append(x, real.At(i, j))
			}
		}
		a = arrays.FromSlice(x, r, c)
	} else {
		x := make([]complex128, 0, r*c)
		for i := range r {
			for j := range c {
				x = append(x, cmplx.At(i, j))
			}
		}
		a = arrays.FromSlice(x, r, c)
	}
	what := fmt.Sprintf("%s of %d × %d%s", name, rows, cols, note)
	b := display.Text(what + "\n" + a.String())
	b.Data[display.TypeHTML] = `<div style="font-family:sans-serif;font-size:12px;opacity:.75;margin:2px 0 4px">` + html.EscapeString(what) + "</div>" + table(a)
	return b, true
}
