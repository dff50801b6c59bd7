package display

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// called are the names that cells have for packages, by their paths, where these are not the packages' own.
var called sync.Map

// CallPackage has types of the package at a path named as cells call the package. It is for packages, in their init.
func CallPackage(path, name string) { called.Store(path, name) }

// TypeName is the name of t as a cell writes it and as gofmt prints it: the cells' own package is not named, interface
// {} is any, and elements of type uint8 are bytes.
func TypeName(t reflect.Type) string { return typeName(t, false) }

// typeName is TypeName; with runes the type int32 has its other name.
func typeName(t reflect.Type, runes bool) string {
	name := func(t reflect.Type) string { return typeName(t, runes) }
	element := func() string {
		if t.Elem() == reflect.TypeFor[uint8]() {
			return "byte"
		}
		return name(t.Elem())
	}
	switch k := t.Kind(); {
	case t == reflect.TypeFor[rune]() && runes:
		return "rune"
	case t.Name() != "":
		return ownName(t, runes)
	case k == reflect.Pointer:
		return "*" + name(t.Elem())
	case k == reflect.Slice:
		return "[]" + element()
	case k == reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), element())
	case k == reflect.Map:
		return "map[" + name(t.Key()) + "]" + name(t.Elem())
	case k == reflect.Chan:
		elem := name(t.Elem())
		if t.Elem().Kind() == reflect.Chan && t.Elem().Name() == "" && t.Elem().ChanDir() == reflect.RecvDir && t.ChanDir() != reflect.SendDir {
			elem = "(" + elem + ")"
		}
		return t.ChanDir().String() + " " + elem
	case k == reflect.Func:
		return "func" + signature(t, runes)
	case k == reflect.Struct:
		return structName(t, runes)
	case k == reflect.Interface && t.NumMethod() == 0:
		return "any"
	}
	return strings.ReplaceAll(t.String(), "interface {", "interface{")
}

func signature(t reflect.Type, runes bool) string {
	var in, out []string
	for i := range t.NumIn() {
		s := typeName(t.In(i), runes)
		if t.IsVariadic() && i == t.NumIn()-1 {
			s = "..." + strings.TrimPrefix(s, "[]")
		}
		in = append(in, s)
	}
	for i := range t.NumOut() {
		out = append(out, typeName(t.Out(i), runes))
	}
	s := "(" + strings.Join(in, ", ") + ")"
	switch len(out) {
	case 0:
		return s
	case 1:
		return s + " " + out[0]
	}
	return s + " (" + strings.Join(out, ", ") + ")"
}

func structName(t reflect.Type, runes bool) string {
	var fields []string
	for i := range t.NumField() {
		f := t.Field(i)
		s := typeName(f.Type, runes)
		if !f.Anonymous {
			s = f.Name + " " + s
		}
		if f.Tag != "" {
			s += fmt.Sprintf(" %q", f.Tag)
		}
		fields = append(fields, s)
	}
	if len(fields) == 0 {
		return "struct{}"
	}
	return "struct{ " + strings.Join(fields, "; ") + " }"
}

// ownName is the name of a type that has one, with its package unless that is the cells' own, and with the types that
// it was instantiated with, whose packages reflect writes as paths.
func ownName(t reflect.Type, runes bool) string {
	s := t.String()
	if name, ok := called.Load(t.PkgPath()); ok {
		_, after, _ := strings.Cut(s, ".")
		s = name.(string) + "." + after
	}
	s = strings.TrimPrefix(s, "main.")
	base, args, generic := strings.Cut(s, "[")
	if !generic {
		return s
	}
	var b strings.Builder
	b.WriteString(base + "[")
	for args != "" {
		word := args[:len(args)-len(strings.TrimLeftFunc(args, inPath))]
		if word == "" {
			r, n := utf8.DecodeRuneInString(args)
			b.WriteString(args[:n])
			if args = args[n:]; r == ',' && !strings.HasPrefix(args, " ") {
				b.WriteByte(' ')
			}
			continue
		}
		args = args[len(word):]
		word = word[strings.LastIndexByte(word, '/')+1:]
		if word = strings.TrimPrefix(word, "main."); word == "int32" && runes {
			word = "rune"
		}
		if word == "interface" && strings.HasPrefix(args, " {}") {
			word, args = "any", args[len(" {}"):]
		}
		b.WriteString(word)
	}
	return b.String()
}

// inPath reports whether r may stand in a type's name with the path of its package.
func inPath(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_./-~", r)
}
