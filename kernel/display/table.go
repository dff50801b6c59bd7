package display

import (
	"cmp"
	"fmt"
	"html"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// A table shows so many rows and columns, and so many characters of one place. What is left out is said.
const (
	tableRows    = 20
	tableColumns = 20
	tableText    = 120
)

// tableOf returns the table of a struct, a map, or a slice of structs (pointers to them count), nil for other values
// and for those that say in a method of their own how they print.
func tableOf(v any) *table {
	if v == nil || printsItself(v) {
		return nil
	}
	rv := reflect.ValueOf(v)
	if rv.Kind() == reflect.Pointer && !rv.IsNil() {
		rv = rv.Elem()
	}
	switch rv.Kind() {
	case reflect.Struct:
		return structTable(rv)
	case reflect.Map:
		return mapTable(rv)
	case reflect.Slice, reflect.Array:
		return rowsTable(rv)
	}
	return nil
}

func printsItself(v any) bool {
	switch v.(type) {
	case fmt.Stringer, error, fmt.Formatter:
		return true
	}
	return false
}

// structTable has a row for each field.
func structTable(v reflect.Value) *table {
	fields := exported(v.Type())
	if len(fields) == 0 {
		return nil
	}
	t := new(table)
	for n, f := range fields {
		if n == tableRows {
			t.left(len(fields)-n, "field")
			break
		}
		t.row(f.Name, place(v.FieldByIndex(f.Index)))
	}
	return t
}

// mapTable has a row for each key, sorted as fmt sorts them. The values' fields are columns when they are structs.
func mapTable(v reflect.Value) *table {
	if v.Len() == 0 {
		return nil
	}
	t := new(table)
	fields := exported(structType(v.Type().Elem()))
	if len(fields) > 0 {
		t.head(append([]string{""}, names(fields)...)...)
	}
	for n, k := range sortedMapKeys(v) {
		if n == tableRows {
			t.left(v.Len()-n, "entry")
			break
		}
		t.row(append([]string{place(k)}, places(v.MapIndex(k), fields)...)...)
	}
	return t
}

// rowsTable has a row for each element of a slice of structs.
func rowsTable(v reflect.Value) *table {
	fields := exported(structType(v.Type().Elem()))
	if len(fields) == 0 || v.Len() == 0 {
		return nil
	}
	t := new(table)
	t.head(append([]string{""}, names(fields)...)...)
	for i := range v.Len() {
		if i == tableRows {
			t.left(v.Len()-i, "row")
			break
		}
		t.row(append([]string{fmt.Sprint(i)}, places(v.Index(i), fields)...)...)
	}
	return t
}

// structType is t, or what t points to, when that is a struct that prints as its fields; else nil.
func structType(t reflect.Type) reflect.Type {
	for _, itself := range []reflect.Type{reflect.TypeFor[fmt.Stringer](), reflect.TypeFor[error](), reflect.TypeFor[fmt.Formatter]()} {
		if t.Implements(itself) {
			return nil
		}
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	return t
}

func exported(t reflect.Type) []reflect.StructField {
	if t == nil {
		return nil
	}
	var fields []reflect.StructField
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() {
			fields = append(fields, f)
		}
	}
	return fields
}

func names(fields []reflect.StructField) []string {
	var out []string
	for i, f := range fields {
		if i == tableColumns {
			return append(out, fmt.Sprintf("… %d more", len(fields)-i))
		}
		out = append(out, f.Name)
	}
	return out
}

// places are the texts of a value's fields, or of the value itself when it has no columns.
func places(v reflect.Value, fields []reflect.StructField) []string {
	if len(fields) == 0 {
		return []string{place(v)}
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return []string{"nil"}
		}
		v = v.Elem()
	}
	var out []string
	for i, f := range fields {
		if i == tableColumns {
			break
		}
		out = append(out, place(v.FieldByIndex(f.Index)))
	}
	return out
}

// place is the text of one value in a table. A long slice is not printed to be cut: it could be the whole data set.
func place(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Array:
		if n := v.Len(); n > tableText && !printsItself(v.Interface()) {
			return fmt.Sprintf("%s of %d", v.Type(), n)
		}
	case reflect.String:
		return cut(v.String())
	}
	return cut(fmt.Sprint(v.Interface()))
}

func cut(s string) string {
	n := 0
	for i := range s {
		if n == tableText {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// sortedMapKeys orders numbers and strings by value and other keys by their text.
func sortedMapKeys(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		switch {
		case a.CanInt():
			return cmp.Compare(a.Int(), b.Int())
		case a.CanUint():
			return cmp.Compare(a.Uint(), b.Uint())
		case a.CanFloat():
			return cmp.Compare(a.Float(), b.Float())
		case a.Kind() == reflect.String:
			return cmp.Compare(a.String(), b.String())
		}
		return cmp.Compare(fmt.Sprint(a.Interface()), fmt.Sprint(b.Interface()))
	})
	return keys
}

func sortedKeys(m MIMEMap) []string { return slices.Sorted(maps.Keys(m)) }

// table collects what a table shows; the first cell of a row is its name.
type table struct {
	header []string
	rows   [][]string
	note   string
}

func (t *table) head(cells ...string) { t.header = cells }
func (t *table) row(cells ...string)  { t.rows = append(t.rows, cells) }

// left says how much is not in the table.
func (t *table) left(n int, what string) {
	if n > 1 {
		what = strings.TrimSuffix(what, "y") + map[bool]string{true: "ies", false: "s"}[strings.HasSuffix(what, "y")]
	}
	t.note = fmt.Sprintf("… %d more %s", n, what)
}

func (t *table) html() string {
	var b strings.Builder
	b.WriteString("<table>")
	if len(t.header) > 0 {
		b.WriteString("<thead>" + htmlRow("th", t.header) + "</thead>")
	}
	b.WriteString("<tbody>")
	for _, cells := range t.rows {
		row := htmlRow("td", cells)
		b.WriteString(strings.Replace(strings.Replace(row, "<td>", "<th>", 1), "</td>", "</th>", 1))
	}
	b.WriteString("</tbody></table>")
	if t.note != "" {
		b.WriteString(`<div style="opacity:.75">` + t.note + "</div>")
	}
	return b.String()
}

func htmlRow(tag string, cells []string) string {
	var b strings.Builder
	b.WriteString("<tr>")
	for _, c := range cells {
		b.WriteString("<" + tag + ">" + html.EscapeString(c) + "</" + tag + ">")
	}
	b.WriteString("</tr>")
	return b.String()
}
