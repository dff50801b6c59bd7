package yaegi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Format implements fmt.Formatter: v is printed as fmt would print it if its type had its name and methods. Where fmt
// would follow it for ever, which ends the process, it says so.
func (v Boxed) Format(s fmt.State, verb rune) {
	if display.Endless(v.v) {
		fmt.Fprintf(s, "%s (a value that contains itself: its text has no end)", typeinfo.TypeText(v.d.typ))
		return
	}
	p := formatter{s, verb, fmt.FormatString(s, verb)}
	p.value(v.d.e, v.d.typ, reflect.ValueOf(v.v), 0, v.v == nil)
}

type formatter struct {
	fmt.State
	verb   rune
	format string
}

func (p formatter) print(s string) { p.Write([]byte(s)) }

// value prints v, of type t; erased says that v is nil of an erased type.
func (p formatter) value(e *Engine, t types.Type, v reflect.Value, depth int, isNil bool) {
	if v.IsValid() && v.Kind() == reflect.Interface && !types.IsInterface(t) { // erased
		v = v.Elem()
		isNil = !v.IsValid()
	}
	if types.IsInterface(t) {
		if v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if !v.IsValid() {
			if p.Flag('#') && p.verb == 'v' {
				p.print(typeinfo.TypeText(t) + "(nil)")
			} else {
				p.print("<nil>")
			}
			return
		}
		if x, ok := bare(v.Interface()).(Boxed); ok {
			p.value(e, x.d.typ, reflect.ValueOf(x.v), depth, x.v == nil)
			return
		}
		fmt.Fprintf(p, p.format, v.Interface())
		return
	}
	if p.method(e, t, v, isNil) {
		return
	}
	if !e.boxed(t) && v.IsValid() {
		fmt.Fprintf(p, p.format, v.Interface())
		return
	}
	goSyntax := p.Flag('#') && p.verb == 'v'
	u := t.Underlying()
	if b, ok := u.(*types.Basic); ok {
		if goSyntax && b.Info()&types.IsString == 0 && depth == 0 && false {
			p.print(typeinfo.TypeText(t))
		}
		fmt.Fprintf(p, p.format, v.Interface())
		return
	}
	switch u := u.(type) {
	case *types.Pointer:
		switch u.Elem().Underlying().(type) {
		case *types.Struct, *types.Array, *types.Slice, *types.Map:
			if depth == 0 && !isNil && !v.IsNil() {
				p.print("&")
				p.value(e, u.Elem(), v.Elem(), depth+1, false)
				return
			}
		}
		p.pointer(t, v, isNil)
	case *types.Signature, *types.Chan:
		p.pointer(t, v, isNil)
	case *types.Struct:
		if goSyntax {
			p.print(typeinfo.TypeText(t))
		}
		p.print("{")
		for i := range u.NumFields() {
			if i > 0 {
				if goSyntax {
					p.print(", ")
				} else {
					p.print(" ")
				}
			}
			if p.Flag('+') || goSyntax {
				p.print(u.Field(i).Name() + ":")
			}
			p.value(e, u.Field(i).Type(), v.Field(i), depth+1, false)
		}
		p.print("}")
	case *types.Slice, *types.Array:
		elem := u.(interface{ Elem() types.Type }).Elem()
		if b, ok := elem.Underlying().(*types.Basic); ok && b.Kind() == types.Uint8 && strings.ContainsRune("sqxX", p.verb) && !isNil {
			if v.Kind() == reflect.Array {
				v = copyArray(v)
			}
			fmt.Fprintf(p, p.format, v.Bytes())
			return
		}
		open, sep, end := "[", " ", "]"
		if goSyntax {
			open, sep, end = typeinfo.TypeText(t)+"{", ", ", "}"
			if _, isSlice := u.(*types.Slice); isSlice && (isNil || v.IsNil()) {
				p.print(typeinfo.TypeText(t) + "(nil)")
				return
			}
		}
		p.print(open)
		for i := 0; !isNil && i < v.Len(); i++ {
			if i > 0 {
				p.print(sep)
			}
			p.value(e, elem, v.Index(i), depth+1, false)
		}
		p.print(end)
	case *types.Map:
		open, sep, end := "map[", " ", "]"
		if goSyntax {
			open, sep, end = typeinfo.TypeText(t)+"{", ", ", "}"
		}
		p.print(open)
		if !isNil {
			for i, x := range sortedEntries(v) {
				if i > 0 {
					p.print(sep)
				}
				p.value(e, u.Key(), x.key, depth+1, false)
				p.print(":")
				p.value(e, u.Elem(), x.value, depth+1, false)
			}
		}
		p.print(end)
	default:
		fmt.Fprintf(p, p.format, v.Interface())
	}
}

func copyArray(v reflect.Value) reflect.Value {
	s := reflect.MakeSlice(reflect.SliceOf(v.Type().Elem()), v.Len(), v.Len())
	reflect.Copy(s, v)
	return s
}

// pointer prints an address.
func (p formatter) pointer(t types.Type, v reflect.Value, isNil bool) {
	var addr uintptr
	if !isNil && v.IsValid() {
		addr = v.Pointer()
	}
	switch {
	case p.verb == 'v' && p.Flag('#'):
		if addr == 0 {
			p.print("(" + typeinfo.TypeText(t) + ")(nil)")
		} else {
			p.print(fmt.Sprintf("(%s)(%#x)", typeinfo.TypeText(t), addr))
		}
	case p.verb == 'v' && addr == 0:
		p.print("<nil>")
	case p.verb == 'v' || p.verb == 'p':
		p.print(fmt.Sprintf("%#x", addr))
	default:
		fmt.Fprintf(p, p.format, addr)
	}
}

// method prints with a method of t, if it has one that fmt would call.
func (p formatter) method(e *Engine, t types.Type, v reflect.Value, isNil bool) (done bool) {
	if p.verb == 'p' || p.verb == 'T' {
		return false
	}
	d := e.describe(t)
	var raw any
	if !isNil && v.IsValid() {
		raw = v.Interface()
	}
	value := Boxed{d, raw}
	if value.has("Format") {
		if w, ok := wrap(reflect.TypeFor[fmt.Formatter](), value); ok {
			w.(fmt.Formatter).Format(p.State, p.verb)
			return true
		}
	}
	if p.Flag('#') && p.verb == 'v' {
		if value.has("GoString") {
			var s string
			value.call("GoString", []any{&s})
			p.print(s)
			return true
		}
		return false
	}
	if !strings.ContainsRune("vsxXq", p.verb) {
		return false
	}
	for _, name := range []string{"Error", "String"} {
		m, ok := d.method(name)
		if !ok || m.Type().NumIn() != 1 || m.Type().NumOut() != 1 || m.Type().Out(0).Kind() != reflect.String {
			continue
		}
		var s string
		func() {
			defer func() {
				if r := recover(); r != nil {
					if isNil || v.Kind() == reflect.Pointer && v.IsNil() {
						s = "<nil>"
						return
					}
					s = fmt.Sprintf("%%!%c(PANIC=%s method: %v)", p.verb, name, mended(r))
				}
			}()
			value.call(name, []any{&s})
		}()
		fmt.Fprintf(p, p.format, s)
		return true
	}
	return false
}

type mapEntry struct{ key, value reflect.Value }

// sortedEntries returns the entries of a map in the order in which fmt prints them, where that is a simple one. A key
// may be a NaN, which no look-up finds.
func sortedEntries(m reflect.Value) (all []mapEntry) {
	for it := m.MapRange(); it.Next(); {
		all = append(all, mapEntry{it.Key(), it.Value()})
	}
	slices.SortFunc(all, func(a, b mapEntry) int { return compareKeys(a.key, b.key) })
	return all
}

func compareKeys(a, b reflect.Value) int {
	if a.Kind() == reflect.Interface {
		a, b = a.Elem(), b.Elem()
		if x, ok := a.Interface().(Boxed); ok {
			a = reflect.ValueOf(x.v)
		}
		if x, ok := b.Interface().(Boxed); ok {
			b = reflect.ValueOf(x.v)
		}
	}
	if a.Kind() != b.Kind() {
		return int(a.Kind()) - int(b.Kind())
	}
	order := func(less, more bool) int {
		switch {
		case less:
			return -1
		case more:
			return 1
		}
		return 0
	}
	switch {
	case a.CanInt():
		return order(a.Int() < b.Int(), a.Int() > b.Int())
	case a.CanUint():
		return order(a.Uint() < b.Uint(), a.Uint() > b.Uint())
	case a.CanFloat():
		return order(a.Float() < b.Float(), a.Float() > b.Float())
	}
	switch a.Kind() {
	case reflect.String:
		return strings.Compare(a.String(), b.String())
	case reflect.Bool:
		return order(!a.Bool() && b.Bool(), a.Bool() && !b.Bool())
	case reflect.Struct:
		for i := range a.NumField() {
			if c := compareKeys(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
	case reflect.Array:
		for i := range a.Len() {
			if c := compareKeys(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
	}
	return 0
}

// MarshalJSON implements json.Marshaler, as encoding/json would do it for a compiled type.
func (v Boxed) MarshalJSON() ([]byte, error) { return marshal(v.d.e, v.d.typ, reflect.ValueOf(v.v)) }

func marshal(e *Engine, t types.Type, v reflect.Value) ([]byte, error) {
	if v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return []byte("null"), nil
	}
	if types.IsInterface(t) {
		return json.Marshal(bare(v.Interface()))
	}
	value := Boxed{e.describe(t), v.Interface()}
	if value.has("MarshalJSON") {
		var b []byte
		var err error
		value.call("MarshalJSON", []any{&b, &err})
		return b, err
	}
	if value.has("MarshalText") {
		var b []byte
		var err error
		value.call("MarshalText", []any{&b, &err})
		if err != nil {
			return nil, err
		}
		return json.Marshal(string(b))
	}
	if !e.boxed(t) {
		return json.Marshal(v.Interface())
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if v.IsNil() {
			return []byte("null"), nil
		}
		return marshal(e, u.Elem(), v.Elem())
	case *types.Struct:
		var b bytes.Buffer
		b.WriteByte('{')
		if err := marshalFields(e, u, v, &b); err != nil {
			return nil, err
		}
		b.WriteByte('}')
		return b.Bytes(), nil
	case *types.Slice, *types.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			return []byte("null"), nil
		}
		elem := u.(interface{ Elem() types.Type }).Elem()
		b := []byte{'['}
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			part, err := marshal(e, elem, v.Index(i))
			if err != nil {
				return nil, err
			}
			b = append(b, part...)
		}
		return append(b, ']'), nil
	case *types.Map:
		if v.IsNil() {
			return []byte("null"), nil
		}
		b := []byte{'{'}
		for i, x := range sortedEntries(v) {
			if i > 0 {
				b = append(b, ',')
			}
			key, err := json.Marshal(fmt.Sprint(Boxed{e.describe(u.Key()), x.key.Interface()}))
			if err != nil {
				return nil, err
			}
			part, err := marshal(e, u.Elem(), x.value)
			if err != nil {
				return nil, err
			}
			b = append(append(append(b, key...), ':'), part...)
		}
		return append(b, '}'), nil
	}
	return json.Marshal(v.Interface())
}

func marshalFields(e *Engine, st *types.Struct, v reflect.Value, b *bytes.Buffer) error {
	for i := range st.NumFields() {
		f := st.Field(i)
		tag, options, _ := strings.Cut(reflect.StructTag(st.Tag(i)).Get("json"), ",")
		if tag == "-" && options == "" {
			continue
		}
		if inner, ok := f.Type().Underlying().(*types.Struct); ok && f.Embedded() && tag == "" {
			if err := marshalFields(e, inner, v.Field(i), b); err != nil {
				return err
			}
			continue
		}
		if !f.Exported() || strings.Contains(options, "omitempty") && emptyJSON(v.Field(i)) || strings.Contains(options, "omitzero") && v.Field(i).IsZero() {
			continue
		}
		name := f.Name()
		if tag != "" {
			name = tag
		}
		part, err := marshal(e, f.Type(), v.Field(i))
		if err != nil {
			return err
		}
		if strings.Contains(options, "string") && part[0] != '"' {
			part = []byte(`"` + string(part) + `"`)
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		key, _ := json.Marshal(name) // a string: no error
		b.Write(key)
		b.WriteByte(':')
		b.Write(part)
	}
	return nil
}

func emptyJSON(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
