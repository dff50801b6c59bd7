package arrays

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/npy"
)

func isNPY(path string) bool { return strings.EqualFold(filepath.Ext(path), ".npy") }

// loadRecords reads a .npy file of records, each field as a column; where names are given, those in this order.
func loadRecords(path string, o csvOptions) (names []string, columns []*Array, err error) {
	wanted := o.Columns
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	bad := func(format string, args ...any) error { return badFile(nil, format, args...) }
	in := bufio.NewReader(f)
	head, err := npy.ReadRecords(in, func(f npy.Field) (int, error) {
		file, err := fieldFile(f)
		if err != nil {
			return 0, err
		}
		size, err := file.bytes()
		return int(size), err
	})
	if err != nil {
		return nil, nil, err
	}
	if err := checkShape(head.Shape); err != nil {
		return nil, nil, err
	}
	if len(head.Shape) != 1 {
		return nil, nil, bad("the records have shape %s; a table has one axis", shapeString(head.Shape))
	}
	rows := head.Shape[0]
	records, err := npyFile{dtype: Uint8, shape: []int{rows, head.Bytes}}.array(in, false)
	if err != nil {
		return nil, nil, err
	}
	var all []string
	for _, f := range head.Fields {
		if f.Name == "" {
			continue
		}
		all = append(all, f.Name)
		if wanted != nil && !slices.Contains(wanted, f.Name) {
			continue
		}
		if slices.Contains(names, f.Name) {
			return nil, nil, bad("two fields are named %s", brief.Quoted(f.Name))
		}
		own := records.At(All, S(f.At, f.At+f.Bytes)).Copy()
		file, err := fieldFile(f)
		if err != nil {
			return nil, nil, err
		}
		file.shape = append([]int{rows}, f.Shape...)
		a, err := file.array(bytes.NewReader(own.Bytes()), true)
		if err != nil {
			return nil, nil, err
		}
		names, columns = append(names, f.Name), append(columns, a)
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

// fieldFile is a field of one record as a file of its own.
func fieldFile(f npy.Field) (npyFile, error) {
	if err := checkShape(f.Shape); err != nil {
		return npyFile{}, err
	}
	file, ok := npyFileOf(f.Type, f.Shape)
	if !ok {
		return npyFile{}, badFile(nil, "the field %s has elements of type %s, which cannot be read; bools, numbers, text and dates can", brief.Quoted(f.Name), brief.Quoted(string(f.Type)))
	}
	return file, nil
}
