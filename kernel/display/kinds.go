package display

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"image/color"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/internal/budget"
)

const (
	fewBytes  = 16      // are written as a literal, more as a dump
	dumpBytes = 512     // of a slice are dumped
	bodyBytes = 2 << 10 // of a response's body are shown
	maxChain  = 20      // errors of a chain are listed
)

// bytesText is a literal of bytes that are a text, or few; false for others.
func bytesText(b []byte, limit int) (string, bool) {
	return strconv.Quote(cutAt(string(b), limit)), isText(b)
}

// isText reports whether all bytes are characters that a person reads.
func isText(b []byte) bool {
	if len(b) > maxText {
		b = b[:maxText]
		for len(b) > 0 && !utf8.FullRune(b[len(b)-1:]) {
			b = b[:len(b)-1]
		}
	}
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 || !unicode.IsPrint(r) && !unicode.IsSpace(r) {
			return false
		}
		b = b[n:]
	}
	return true
}

// ofBytes is a slice of bytes, whose type has a name, in text: a text, or numbers in hexadecimal, beside their
// characters where they are many.
func ofBytes(b []byte, name string) string {
	switch {
	case b == nil:
		return name + "(nil)"
	case len(b) == 0:
		return name + "{}"
	}
	if s, ok := bytesText(b, maxText); ok {
		return name + "(" + s + ")"
	}
	if len(b) <= fewBytes {
		return GoText(b)
	}
	return fmt.Sprintf("%s of %d:\n", name, len(b)) + dump(b)
}

// dump is the first of many bytes in hexadecimal, with their characters.
func dump(b []byte) string {
	left := ""
	if n := len(b) - dumpBytes; n > 0 {
		b, left = b[:dumpBytes], fmt.Sprintf("… %d more", n)
	}
	return strings.TrimSuffix(hex.Dump(b)+left, "\n")
}

// ofError is an error that is not nil, with what it wraps, each with its type.
func ofError(err error) Bundle {
	text := "error: " + fmt.Sprint(err)
	var chain []string
	chained(err, "  ", "", &chain)
	if len(chain) > 1 || !plainError(err) {
		text += "\n" + strings.Join(chain, "\n")
	}
	b := Text(clip(text))
	b.Data[TypeHTML] = `<pre style="border-left:4px solid #c62828;padding-left:8px;margin:0">` + html.EscapeString(b.Text()) + "</pre>"
	return b
}

// plainError reports whether an error's type says nothing that its text does not.
func plainError(err error) bool {
	switch reflect.TypeOf(err).String() {
	case "*errors.errorString", "*fmt.wrapError", "*fmt.fmtError":
		return true
	}
	return false
}

// chained adds a line for err and for each error that it wraps. What one of several wrapped errors wraps stands further
// right, by branch: it would be taken for one of the several otherwise.
func chained(err error, margin, branch string, lines *[]string) {
	if err == nil || len(*lines) >= maxChain {
		return
	}
	line := margin + TypeName(reflect.TypeOf(err))
	if len(*lines) > 0 {
		line += ": " + strings.ReplaceAll(fmt.Sprint(err), "\n", "; ")
	}
	*lines = append(*lines, line)
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			chained(e, margin+"  ", "  ", lines)
		}
		return
	}
	chained(errors.Unwrap(err), margin+branch, branch, lines)
}

// colorBundle is a colour with its components, and a field of it.
func colorBundle(c color.Color) Bundle {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	css := fmt.Sprintf("#%02x%02x%02x", n.R, n.G, n.B)
	if n.A != 255 {
		css += fmt.Sprintf("%02x", n.A)
	}
	text := goText(c, false)
	b := Text(text + "  " + css)
	b.Data[TypeHTML] = fmt.Sprintf(`<span style="display:inline-block;width:2.5em;height:1.2em;vertical-align:middle;border:1px solid #888;background-color:%s"></span> <code>%s</code> <code>%s</code>`,
		css, css, html.EscapeString(text))
	return b
}

// sqlRows are rows of package database/sql, and of what looks like them.
type sqlRows interface {
	Columns() ([]string, error)
	Next() bool
	Scan(dest ...any) error
	Err() error
}

// sqlResult is what package database/sql says of a statement, and what looks like that.
type sqlResult interface {
	LastInsertId() (int64, error)
	RowsAffected() (int64, error)
}

func ofSQLResult(v any, rv reflect.Value, _ Options) (Bundle, bool, error) {
	r, ok := v.(sqlResult)
	if !ok || nilable(rv.Kind()) && rv.IsNil() || printsItself(v) {
		return Bundle{}, false, nil
	}
	var parts []string
	if n, err := r.RowsAffected(); err == nil {
		parts = append(parts, fmt.Sprintf("rows affected: %d", n))
	}
	if id, err := r.LastInsertId(); err == nil {
		parts = append(parts, fmt.Sprintf("last insert ID: %d", id))
	}
	if len(parts) == 0 {
		return Bundle{}, false, nil
	}
	return Text("sql.Result: " + strings.Join(parts, ", ")), true, nil
}

// rowsOf reads the first rows of a result into a table. The rows after them can still be read.
func rowsOf(rows sqlRows) (*table, error) {
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	t := &table{plain: true}
	t.head(names[:min(len(names), tableColumns)]...)
	values, places := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		places[i] = &values[i]
	}
	for len(t.rows) < tableRows && rows.Next() {
		if err := rows.Scan(places...); err != nil {
			return nil, err
		}
		var cells []string
		for i, v := range values {
			if i == tableColumns {
				break
			}
			if b, ok := v.([]byte); ok && isText(b) {
				v = string(b)
			}
			if v == nil {
				v = "NULL"
			}
			cells = append(cells, goLine(reflect.ValueOf(v), tableText, false))
		}
		t.row(cells...)
	}
	if len(t.rows) == tableRows {
		t.note = fmt.Sprintf("the first %d rows: they have been read, Next goes on after them", tableRows)
	}
	return t, rows.Err()
}

// responseText is a response of package net/http: its status, headers and the start of the body, which the response
// then still has. ok is false for other values.
func responseText(v reflect.Value) (text string, ok bool) {
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return "", false
	}
	v = v.Elem()
	if t := v.Type(); t.PkgPath() != "net/http" || t.Name() != "Response" {
		return "", false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", v.FieldByName("Proto"), v.FieldByName("Status"))
	header := v.FieldByName("Header")
	for i, e := range sortedEntries(header) {
		if i == 2*tableRows {
			fmt.Fprintf(&b, "… %d more headers\n", header.Len()-i)
			break
		}
		for j := range e.value.Len() {
			fmt.Fprintf(&b, "%s: %s\n", e.key, cutAt(e.value.Index(j).String(), tableText))
		}
	}
	body, _ := v.FieldByName("Body").Interface().(io.ReadCloser)
	if body == nil {
		return strings.TrimSuffix(b.String(), "\n"), true
	}
	start, err := budget.ReadAll(io.LimitReader(body, bodyBytes+1), "the body", 0)
	v.FieldByName("Body").Set(reflect.ValueOf(readAgain{io.MultiReader(bytes.NewReader(start), body), body}))
	more := len(start) > bodyBytes
	if more {
		start = start[:bodyBytes]
		for i := 0; i < utf8.UTFMax && !utf8.Valid(start); i++ {
			start = start[:len(start)-1]
		}
	}
	b.WriteByte('\n')
	if isText(start) {
		b.Write(start)
	} else {
		b.WriteString(ofBytes(start, "[]byte"))
	}
	if more {
		b.WriteString("\n… more: io.ReadAll(r.Body) reads all of it")
	}
	if err != nil {
		fmt.Fprintf(&b, "\n(the body could not be read: %v)", err)
	}
	return b.String(), true
}

// readAgain is a body whose start has been read.
type readAgain struct {
	io.Reader
	io.Closer
}

// sequence reports whether t is a function that a range statement can call, iter.Seq or iter.Seq2, and how many values
// it gives at a time.
func sequence(t reflect.Type) (values int, ok bool) {
	if t.Kind() != reflect.Func || t.NumIn() != 1 || t.NumOut() != 0 {
		return 0, false
	}
	yield := t.In(0)
	if yield.Kind() != reflect.Func || yield.NumOut() != 1 || yield.Out(0).Kind() != reflect.Bool || yield.NumIn() > 2 {
		return 0, false
	}
	return yield.NumIn(), true
}

// IsSequence reports whether v is an iter.Seq or an iter.Seq2.
func IsSequence(v any) bool {
	if v == nil {
		return false
	}
	_, ok := sequence(reflect.TypeOf(v))
	return ok
}

// unboxed is v, or what v has in it: an engine whose types have no names puts them beside its values.
func unboxed(v any) reflect.Value {
	if box, ok := v.(interface{ Unboxed() any }); ok {
		v = box.Unboxed()
	}
	return reflect.ValueOf(v)
}

// First returns the first n values of seq, an iter.Seq or iter.Seq2, of the latter in pairs. It panics for other
// values.
func First(seq any, n int) []any {
	v := unboxed(seq)
	if !v.IsValid() {
		panic(errors.New("display.First wants an iter.Seq or an iter.Seq2, not nil"))
	}
	values, ok := sequence(v.Type())
	if !ok {
		panic(fmt.Errorf("display.First wants an iter.Seq or an iter.Seq2, not %s", TypeName(v.Type())))
	}
	var out []any
	if n <= 0 {
		return out
	}
	v.Call([]reflect.Value{reflect.MakeFunc(v.Type().In(0), func(args []reflect.Value) []reflect.Value {
		switch values {
		case 0:
			out = append(out, struct{}{})
		case 1:
			out = append(out, args[0].Interface())
		default:
			out = append(out, [2]any{args[0].Interface(), args[1].Interface()})
		}
		return []reflect.Value{reflect.ValueOf(len(out) < n).Convert(v.Type().In(0).Out(0))}
	})})
	return out
}
