package arrays

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

// A structured array of NumPy is a table: each element is a record, whose fields have names and dtypes of their own.

func isNPY(path string) bool { return strings.EqualFold(filepath.Ext(path), ".npy") }

// field is a field of records, or bytes between two.
type field struct {
	name  string // empty for bytes that are left out
	file  npyFile
	bytes int
	at    int // in the record
}

var (
	npyFields = lazyregexp.New(`'descr':\s*\[(.*)\],\s*'fortran_order'`)
	npyField  = lazyregexp.New(`^\(('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),\s*'([<>|=]\w+(?:\[\w+\])?)'(?:,\s*\(([\d,\s]*)\))?\)(?:,\s*|$)`)
)

// loadRecords reads a .npy file of records, each field as a column; where names are given, those in this order.
func loadRecords(path string, o csvOptions) (names []string, columns []*Array, err error) {
	wanted := o.columns
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	bad := func(format string, args ...any) error { return badFile(nil, format, args...) }
	in := bufio.NewReader(f)
	text, err := npyHeaderText(in)
	if err != nil {
		return nil, nil, err
	}
	list := npyFields.FindStringSubmatch(text)
	if list == nil {
		return nil, nil, bad("the elements are not records, and so no table; Load reads an array")
	}
	_, _, shape, err := npyHeader(strings.Replace(text, "["+list[1]+"]", "'|u1'", 1))
	if err != nil {
		return nil, nil, err
	}
	if err := checkShape(shape); err != nil {
		return nil, nil, err
	}
	if len(shape) != 1 {
		return nil, nil, bad("the records have shape %s; a table has one axis", shapeString(shape))
	}
	fields, record, err := readFields(list[1])
	if err != nil {
		return nil, nil, err
	}
	records, err := npyFile{dtype: Uint8, shape: []int{shape[0], record}}.array(in, false)
	if err != nil {
		return nil, nil, err
	}
	var all []string
	for _, f := range fields {
		if f.name == "" {
			continue
		}
		all = append(all, f.name)
		if wanted != nil && !slices.Contains(wanted, f.name) {
			continue
		}
		if slices.Contains(names, f.name) {
			return nil, nil, bad("two fields are named %s", brief.Quoted(f.name))
		}
		part := S(f.at, f.at+f.bytes)
		own := records.At(All, part).Copy()
		f.file.shape = append([]int{shape[0]}, f.file.shape...)
		a, err := f.file.array(bytes.NewReader(own.Bytes()), true)
		if err != nil {
			return nil, nil, err
		}
		names, columns = append(names, f.name), append(columns, a)
	}
	if wanted == nil {
		return names, columns, nil
	}
	out := make([]*Array, len(wanted))
	for i, name := range wanted {
		at := slices.Index(names, name)
		if at < 0 {
			return nil, nil, bad("there is no field %s; there are %s", brief.Quoted(name), brief.Text(strings.Join(all, ", ")))
		}
		out[i] = columns[at]
	}
	return wanted, out, nil
}

// readFields reads the list of a header. record is the bytes of a record.
func readFields(list string) (fields []field, record int, err error) {
	for list != "" {
		m := npyField.FindStringSubmatch(list)
		if m == nil {
			return nil, 0, badFile(nil, "the field %s of its records cannot be read; bools, numbers, text and dates can", brief.Quoted(list))
		}
		list = list[len(m[0]):]
		name, descr := pythonText(m[1]), m[2]
		f := field{name: name, at: record, file: npyFile{bigEndian: descr[0] == '>'}}
		for part := range strings.SplitSeq(m[3], ",") {
			if part = strings.TrimSpace(part); part == "" {
				continue
			}
			n, err := strconv.Atoi(part)
			if err != nil {
				return nil, 0, badFile(nil, "the field %s has no shape (%s)", brief.Quoted(name), brief.Text(m[3]))
			}
			f.file.shape = append(f.file.shape, n)
		}
		if err := checkShape(f.file.shape); err != nil {
			return nil, 0, err
		}
		if descr[1] == 'V' && name == "" {
			if f.bytes, err = strconv.Atoi(descr[2:]); err != nil || f.bytes > maxChars {
				return nil, 0, unknownElements(descr)
			}
		} else {
			var ok bool
			if f.file.dtype, f.file.ascii, ok = npyDType(descr[1:]); !ok {
				return nil, 0, badFile(nil, "the field %s has elements of type %s, which cannot be read; bools, numbers, text and dates can", brief.Quoted(name), brief.Quoted(descr))
			}
			size, err := f.file.bytes()
			if err != nil {
				return nil, 0, err
			}
			f.bytes = int(size)
		}
		if record += f.bytes; record > 1<<30 {
			return nil, 0, badFile(nil, "a record of %d bytes is too long", record)
		}
		fields = append(fields, f)
	}
	return fields, record, nil
}

// pythonText is the text of a literal of Python.
func pythonText(literal string) string {
	inner := literal[1 : len(literal)-1]
	if text, err := strconv.Unquote(`"` + strings.NewReplacer(`\'`, `'`, `"`, `\"`).Replace(inner) + `"`); err == nil {
		return text
	}
	return inner
}
