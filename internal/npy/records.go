package npy

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

// Records is the header of a structured array of NumPy, which is a table: each element is a record, whose fields have
// names and types of their own.
type Records struct {
	Shape  []int
	Fields []Field // with those that are bytes to be left out between others
	Bytes  int     // of a record
}

// Field is a field of records, or bytes between two.
type Field struct {
	Name  string // empty for bytes that are left out
	Type  Type
	Shape []int
	At    int // in the record
	Bytes int
}

var (
	fieldsPart = lazyregexp.New(`'descr':\s*\[(.*)\],\s*'fortran_order'`)
	fieldPart  = lazyregexp.New(`^\(('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),\s*'([<>|=]\w+(?:\[\w+\])?)'(?:,\s*\(([\d,\s]*)\))?\)(?:,\s*|$)`)
)

// maxRecord and maxGap are how many bytes a record, and what is between two of its fields, have at most.
const maxRecord, maxGap = 1 << 30, 1 << 20

// ReadRecords reads the header of a file of records. size says how many bytes a field has, or why there is no such
// array.
func ReadRecords(r io.Reader, size func(Field) (int, error)) (Records, error) {
	text, err := headerText(r)
	if err != nil {
		return Records{}, err
	}
	list := fieldsPart.FindStringSubmatch(text)
	if list == nil {
		return Records{}, errors.New("the elements are not records, and so no table; Load reads an array")
	}
	h, err := parse(strings.Replace(text, "["+list[1]+"]", "'|u1'", 1))
	if err != nil {
		return Records{}, err
	}
	out := Records{Shape: h.Shape}
	for list := list[1]; list != ""; {
		m := fieldPart.FindStringSubmatch(list)
		if m == nil {
			return Records{}, fmt.Errorf("the field %s of its records cannot be read; bools, numbers, text and dates can", brief.Quoted(list))
		}
		list = list[len(m[0]):]
		f := Field{Name: pythonText(m[1]), Type: Type(m[2]), At: out.Bytes}
		for part := range strings.SplitSeq(m[3], ",") {
			if part = strings.TrimSpace(part); part == "" {
				continue
			}
			n, err := strconv.Atoi(part)
			if err != nil {
				return Records{}, fmt.Errorf("the field %s has no shape (%s)", brief.Quoted(f.Name), brief.Text(m[3]))
			}
			f.Shape = append(f.Shape, n)
		}
		if name := f.Type.Name(); name[0] == 'V' && f.Name == "" {
			if f.Bytes, err = strconv.Atoi(name[1:]); err != nil || f.Bytes > maxGap {
				return Records{}, Unknown(f.Type)
			}
		} else if f.Bytes, err = size(f); err != nil {
			return Records{}, err
		}
		if out.Bytes += f.Bytes; out.Bytes > maxRecord {
			return Records{}, fmt.Errorf("a record of %d bytes is too long", out.Bytes)
		}
		out.Fields = append(out.Fields, f)
	}
	return out, nil
}

// pythonText is the text of a literal of Python.
func pythonText(literal string) string {
	inner := literal[1 : len(literal)-1]
	if text, err := strconv.Unquote(`"` + strings.NewReplacer(`\'`, `'`, `"`, `\"`).Replace(inner) + `"`); err == nil {
		return text
	}
	return inner
}
