package arrays

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// typed reads cells as the dtype that ColumnType gives; one that is not of it is a *cellFault.
func (b *columnBatch) typed(lists []*cellList, d DType) (a *Array, err error) {
	n := 0
	for _, l := range lists {
		n += len(l.at)
	}
	switch {
	case d == StringDType:
		_, size := b.widest(lists)
		return b.texts(lists, n, size)
	case d.IsString():
		return b.text(lists, n, d.chars())
	case d.IsBool():
		return readTyped(b, lists, n, d, d, bitOf)
	case d.IsUnsigned():
		return readTyped(b, lists, n, d, Uint64, func(b *columnBatch, cell string, d DType) (uint64, error) {
			v, err := b.whole(cell, d)
			return v.Uint64(), err
		})
	case d.IsInt() && !d.IsTime():
		return readTyped(b, lists, n, d, Int64, func(b *columnBatch, cell string, d DType) (int64, error) {
			v, err := b.whole(cell, d)
			return v.Int64(), err
		})
	case d.IsFloat():
		return readTyped(b, lists, n, d, Float64, func(b *columnBatch, cell string, d DType) (float64, error) {
			v, ok := b.format.number(cell)
			if !ok {
				return 0, notTyped(cell, "a number")
			}
			return v, nil
		})
	case d.isDate():
		return readTyped(b, lists, n, d, d, func(b *columnBatch, cell string, d DType) (int64, error) {
			v, u, ok := b.format.date(cell)
			if !ok {
				v, u, ok = parseDate(cell)
			}
			if !ok {
				return 0, notTyped(cell, "a date; DateFormat(layout) adds a form of dates")
			}
			return toUnit(v, u, d.unit(), true), nil
		})
	}
	a, row := b.array(d, n), 0
	defer func() {
		if fault, ok := err.(*Error); ok {
			a, err = nil, &cellFault{row, fault.Msg}
		}
	}()
	defer intoError(&err)
	for _, l := range lists {
		poll()
		for cell := range l.all {
			if b.format.isMissing(cell) {
				a.Set(missingOf(d), row)
			} else {
				a.Set(FromSlice([]string{cell}).AsType(d).Reshape(), row)
			}
			row++
		}
	}
	return a, nil
}

// readTyped reads cells by f as elements of wide, which become those of d.
func readTyped[T element](b *columnBatch, lists []*cellList, n int, d, wide DType, f func(*columnBatch, string, DType) (T, error)) (a *Array, err error) {
	row := 0
	defer func() {
		if fault, ok := err.(*Error); ok {
			a, err = nil, &cellFault{row, fault.Msg}
		}
	}()
	defer intoError(&err)
	a = b.array(wide, n)
	v := elements[T](a.data)
	hasMissing := d.IsTime() || d.IsInexact()
	var gone T
	if hasMissing {
		gone = elements[T](missingOf(wide).data)[0]
	}
	for _, l := range lists {
		poll()
		for cell := range l.all {
			switch missing := b.format.isMissing(cell); {
			case missing && hasMissing:
				v[row] = gone
			case missing && b.options.masks != nil:
				if b.made.missing == nil {
					b.made.missing = make([]bool, n)
				}
				b.made.missing[row] = true
			case missing:
				return nil, &cellFault{row, fmt.Sprintf("the cell is missing, and %v has no value for that: read it as float64 or text, or say MissingInto(masks)", d)}
			default:
				if v[row], err = f(b, cell, d); err != nil {
					return nil, &cellFault{row, err.Error()}
				}
			}
			row++
		}
	}
	if wide != d {
		a = a.AsType(d)
	}
	return a, nil
}

// missingOf returns what stands for a missing value in a dtype that has one.
func missingOf(d DType) *Array {
	if d.IsTime() {
		nat := New(d)
		elements[int64](nat.data)[0] = notATime
		return nat
	}
	return Scalar(math.NaN()).AsType(d)
}

func notTyped(cell, what string) error {
	return fmt.Errorf("%s is not %s, as ColumnType says", brief.Quoted(cell), what)
}

func bitOf(_ *columnBatch, cell string, _ DType) (uint8, error) {
	v, ok := csvTruth(cell)
	if !ok && cell != "0" && cell != "1" {
		return 0, notTyped(cell, "True, False, 0 or 1")
	}
	return bit(v || cell == "1"), nil
}

// whole reads a whole number in the range of a dtype, also one with a point or an exponent.
func (b *columnBatch) whole(cell string, d DType) (*big.Int, error) {
	zero := new(big.Int)
	text, ok := b.format.spelled(cell)
	if !ok || strings.Trim(text, "0123456789.eE+-") != "" || len(text) > 400 {
		return zero, notTyped(cell, "a whole number")
	}
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		v, _, err := big.ParseFloat(text, 10, 512, big.ToNearestEven)
		if err != nil || !v.IsInt() || v.MantExp(nil) > 200 {
			return zero, notTyped(cell, "a whole number")
		}
		n, _ = v.Int(nil)
	}
	info := IInfo(d)
	if n.Cmp(big.NewInt(info.Min)) < 0 || n.Cmp(new(big.Int).SetUint64(info.Max)) > 0 {
		return zero, notTyped(cell, fmt.Sprintf("in the range of %v, %d to %d", d, info.Min, info.Max))
	}
	return n, nil
}
