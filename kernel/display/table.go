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
func tableOf(v any, runes bool) *table {
	if v == nil || printsItself(v) {
		return nil
	}
	rv := reflect.ValueOf(v)
	if rv.Kind() == reflect.Pointer && !rv.IsNil() {
		rv = rv.Elem()
	}
	t := &table{runes: runes}
	switch rv.Kind() {
	case reflect.Struct:
		t = t.ofStruct(rv)
	case reflect.Map:
		t = t.ofMap(rv)
	case reflect.Slice, reflect.Array:
		t = t.ofRows(rv)
	default:
		return nil
	}
	if t != nil {
		t.of = typeName(reflect.TypeOf(v), runes)
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

// ofStruct has a row for each field.
func (t *table) ofStruct(v reflect.Value) *table {
	fields := listed(v.Type())
	if len(fields) == 0 {
		return nil
	}
	for n, f := range fields {
		if n == tableRows {
			t.left(len(fields)-n, "field")
			break
		}
		t.row(f.Name, t.place(fieldAt(v, f)))
	}
	return t
}

// ofMap has a row for each key, sorted as fmt sorts them. The values' fields are columns when they are structs.
func (t *table) ofMap(v reflect.Value) *table {
	if v.Len() == 0 {
		return nil
	}
	fields := listed(structType(v.Type().Elem()))
	if len(fields) > 0 {
		t.head(append([]string{""}, names(fields)...)...)
	}
	for n, e := range sortedEntries(v) {
		if n == tableRows {
			t.left(v.Len()-n, "entry")
			break
		}
		t.row(append([]string{t.place(e.key)}, t.places(e.value, fields)...)...)
	}
	return t
}

// ofRows has a row for each element of a slice of structs, of maps by names, or of slices.
func (t *table) ofRows(v reflect.Value) *table {
	switch elem := v.Type().Elem(); {
	case v.Len() == 0 || elem.Implements(reflect.TypeFor[fmt.Stringer]()):
		return nil
	case elem.Kind() == reflect.Map && elem.Key().Kind() == reflect.String:
		return t.ofRecords(v)
	case (elem.Kind() == reflect.Slice || elem.Kind() == reflect.Array) && tabular(elem.Elem()):
		return t.ofLines(v)
	}
	fields := listed(structType(v.Type().Elem()))
	if len(fields) == 0 || v.Len() == 0 {
		return nil
	}
	t.head(append([]string{""}, names(fields)...)...)
	for i := range v.Len() {
		if i == tableRows {
			t.left(v.Len()-i, "row")
			break
		}
		t.row(append([]string{fmt.Sprint(i)}, t.places(v.Index(i), fields)...)...)
	}
	return t
}

// tabular reports whether values of type t fit a table's places: numbers, texts, and what is only known when it is met.
func tabular(t reflect.Type) bool {
	k := t.Kind()
	return reflect.Bool <= k && k <= reflect.Complex128 && k != reflect.Uint8 || k == reflect.String || k == reflect.Interface && t.NumMethod() == 0
}

// ofRecords has a column for each key of maps, in the order of the alphabet.
func (t *table) ofRecords(v reflect.Value) *table {
	rows := min(v.Len(), tableRows)
	keys := map[string]bool{}
	for i := range rows {
		for _, k := range v.Index(i).MapKeys() {
			keys[k.String()] = true
		}
	}
	names := slices.Sorted(maps.Keys(keys))
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
			cells = append(cells, t.place(x))
		}
		t.row(cells...)
	}
	if n := v.Len() - rows; n > 0 {
		t.left(n, "row")
	}
	return t
}

// ofLines has a row for each inner slice.
func (t *table) ofLines(v reflect.Value) *table {
	rows, wide := min(v.Len(), tableRows), 0
	for i := range rows {
		wide = max(wide, v.Index(i).Len())
	}
	if wide == 0 {
		return nil
	}
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
			cells = append(cells, t.place(line.Index(j)))
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

// listed are the fields of t that a table shows: of a type of the cells' own all, of others those that a cell can
// name. What t embeds gives its fields in its place, unless it prints itself.
func listed(t reflect.Type) (fields []reflect.StructField) {
	if t == nil {
		return nil
	}
	own := t.PkgPath() == "" || t.PkgPath() == "main"
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct && structType(f.Type) != nil {
			for _, in := range listed(f.Type) {
				in.Index = append([]int{i}, in.Index...)
				fields = append(fields, in)
			}
			continue
		}
		if f.IsExported() || own && f.Name != "_" {
			fields = append(fields, f)
		}
	}
	return fields
}

// fieldAt is the field of v that a table lists as f.
func fieldAt(v reflect.Value, f reflect.StructField) reflect.Value {
	for _, i := range f.Index {
		v = readable(reachable(v, i).Field(i))
	}
	return v
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
func (t *table) places(v reflect.Value, fields []reflect.StructField) []string {
	if len(fields) == 0 {
		return []string{t.place(v)}
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
		out = append(out, t.place(fieldAt(v, f)))
	}
	return out
}

// place is the text of one value in a table. A long slice is not printed to be cut: it could be the whole data set.
func (t *table) place(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Array:
		if n := v.Len(); n > tableText && !ownText(v) {
			return fmt.Sprintf("%s of %d", typeName(v.Type(), t.runes), n)
		}
	}
	return goLine(v, tableText, t.runes)
}

type entry struct{ key, value reflect.Value }

// sortedEntries orders numbers and strings by value and other keys by their text. A NaN, which no key of a map equals,
// has its value all the same.
func sortedEntries(m reflect.Value) []entry {
	entries := make([]entry, 0, m.Len())
	for it := m.MapRange(); it.Next(); {
		entries = append(entries, entry{it.Key(), it.Value()})
	}
	slices.SortFunc(entries, func(x, y entry) int {
		a, b := x.key, y.key
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
		return cmp.Compare(keyText(a), keyText(b))
	})
	return entries
}

// keyText is fmt's text of a key, which may be of a field that is not exported: its methods are not called then.
func keyText(key reflect.Value) string {
	if key.CanInterface() {
		return fmt.Sprint(key.Interface())
	}
	return fmt.Sprint(key)
}

func sortedKeys(m MIMEMap) []string { return slices.Sorted(maps.Keys(m)) }

// table collects what a table shows; the first cell of a row is its name.
type table struct {
	header []string
	rows   [][]string
	note   string
	of     string // the type and the size, for a line below
	plain  bool   // rows have no names
	runes  bool   // numbers of type int32 are characters
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
// and exported pages have no style for tables, and terminals with notebooks know the class that pandas gives its own.
const (
	TableTag       = `<table border="1" cellpadding="4" class="dataframe" style="border-collapse:collapse">`
	NumberTableTag = `<table border="1" cellpadding="4" class="dataframe" style="border-collapse:collapse;font-variant-numeric:tabular-nums">`
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
