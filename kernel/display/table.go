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
	var t *table
	switch rv.Kind() {
	case reflect.Struct:
		t = structTable(rv)
	case reflect.Map:
		t = mapTable(rv)
	case reflect.Slice, reflect.Array:
		t = rowsTable(rv)
	}
	if t != nil {
		t.of = TypeName(reflect.TypeOf(v))
		if k := rv.Kind(); k != reflect.Struct {
			t.of += ", " + counted(rv.Len(), map[bool]string{true: "entry", false: "row"}[k == reflect.Map])
		}
	}
	return t
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

// rowsTable has a row for each element of a slice of structs, of maps by names, or of slices.
func rowsTable(v reflect.Value) *table {
	switch elem := v.Type().Elem(); {
	case v.Len() == 0 || elem.Implements(reflect.TypeFor[fmt.Stringer]()):
		return nil
	case elem.Kind() == reflect.Map && elem.Key().Kind() == reflect.String:
		return recordsTable(v)
	case (elem.Kind() == reflect.Slice || elem.Kind() == reflect.Array) && tabular(elem.Elem()):
		return linesTable(v)
	}
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

// tabular reports whether values of type t fit a table's places: numbers, texts, and what is only known when it is met.
func tabular(t reflect.Type) bool {
	k := t.Kind()
	return reflect.Bool <= k && k <= reflect.Complex128 && k != reflect.Uint8 || k == reflect.String || k == reflect.Interface && t.NumMethod() == 0
}

// recordsTable has a column for each key of maps, in the order of the alphabet.
func recordsTable(v reflect.Value) *table {
	rows := min(v.Len(), tableRows)
	keys := map[string]bool{}
	for i := range rows {
		for _, k := range v.Index(i).MapKeys() {
			keys[k.String()] = true
		}
	}
	names := slices.Sorted(maps.Keys(keys))
	t := new(table)
	head := append([]string{""}, names[:min(len(names), tableColumns)]...)
	if n := len(names) - tableColumns; n > 0 {
		head = append(head, fmt.Sprintf("… %d more", n))
	}
	t.head(head...)
	for i := range rows {
		cells := []string{fmt.Sprint(i)}
		for _, name := range names[:min(len(names), tableColumns)] {
			x := v.Index(i).MapIndex(reflect.ValueOf(name).Convert(v.Type().Elem().Key()))
			if !x.IsValid() {
				cells = append(cells, "")
				continue
			}
			cells = append(cells, place(x))
		}
		t.row(cells...)
	}
	if n := v.Len() - rows; n > 0 {
		t.left(n, "row")
	}
	return t
}

// linesTable has a row for each inner slice.
func linesTable(v reflect.Value) *table {
	rows, wide := min(v.Len(), tableRows), 0
	for i := range rows {
		wide = max(wide, v.Index(i).Len())
	}
	if wide == 0 {
		return nil
	}
	t := new(table)
	head := []string{""}
	for i := range min(wide, tableColumns) {
		head = append(head, fmt.Sprint(i))
	}
	if n := wide - tableColumns; n > 0 {
		head = append(head, fmt.Sprintf("… %d more", n))
	}
	t.head(head...)
	for i := range rows {
		line, cells := v.Index(i), []string{fmt.Sprint(i)}
		for j := range min(line.Len(), tableColumns) {
			cells = append(cells, place(line.Index(j)))
		}
		t.row(cells...)
	}
	if n := v.Len() - rows; n > 0 {
		t.left(n, "row")
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
		if n := v.Len(); n > tableText && !ownText(v) {
			return fmt.Sprintf("%s of %d", TypeName(v.Type()), n)
		}
	}
	return goLine(v, tableText)
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
	of     string // the type and the size, for a line below
	plain  bool   // rows have no names
}

func (t *table) head(cells ...string) { t.header = cells }
func (t *table) row(cells ...string)  { t.rows = append(t.rows, cells) }

// left says how much is not in the table.
func (t *table) left(n int, what string) {
	t.note = "… " + strings.Replace(counted(n, what), " ", " more ", 1)
}

func counted(n int, what string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(what, "y"):
		what = strings.TrimSuffix(what, "y") + "ies"
	default:
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// TableTag and NumberTableTag begin a table that has lines and room between its columns in every client: mails, editors
// and exported pages have no style for tables.
const (
	TableTag       = `<table border="1" cellpadding="4" style="border-collapse:collapse">`
	NumberTableTag = `<table border="1" cellpadding="4" style="border-collapse:collapse;font-variant-numeric:tabular-nums">`
)

func (t *table) html() string {
	var b strings.Builder
	b.WriteString(TableTag)
	if len(t.header) > 0 {
		b.WriteString("<thead>" + htmlRow("th", t.header) + "</thead>")
	}
	b.WriteString("<tbody>")
	for _, cells := range t.rows {
		row := htmlRow("td", cells)
		if !t.plain {
			row = strings.Replace(strings.Replace(row, "<td>", "<th>", 1), "</td>", "</th>", 1)
		}
		b.WriteString(row)
	}
	b.WriteString("</tbody></table>")
	if note := strings.Trim(t.note+" · "+html.EscapeString(t.of), " ·"); note != "" {
		b.WriteString(`<div style="opacity:.6;font-size:small">` + note + "</div>")
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
