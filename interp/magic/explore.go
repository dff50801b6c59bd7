package magic

import (
	"cmp"
	"fmt"
	"go/types"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
)

// Variable is a variable of the cells, or a part of one, as a client's panel of variables lists it.
type Variable struct {
	Name, Type, Value string
	Parts             int // how many parts it has, which Explore lists
}

// maxParts is how many parts of a value are listed.
const maxParts = 200

// Explore lists the variables of the cells, sorted, or the parts of what path leads to: the name of a variable, then
// numbers of parts. It evaluates nothing, calls no methods of cells' types, and follows pointers. While a cell runs,
// whose values change, names and types are listed alone, and there are no parts.
func (s *Session) Explore(path []string) (out []Variable, err error) {
	names, objs := s.names()
	left := len(s.Jobs()) > 0 // maps that goroutines may write must not be walked: the Go runtime would end the process
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("the value changed while it was read: %v", p)
		}
	}()
	if len(path) == 0 {
		for _, name := range names {
			if _, ok := objs[name].(*types.Var); ok {
				out = append(out, Variable{Name: name, Type: s.TypeText(objs[name].Type())})
			}
		}
	}
	between := s.Between(func(value func(string) (reflect.Value, bool)) {
		if len(path) > 0 {
			v, ok := value(path[0])
			if !ok {
				err = fmt.Errorf("no cell has declared %s", path[0])
				return
			}
			out, err = partsAlong(v, path[1:], left)
			return
		}
		for i := range out {
			if v, ok := value(out[i].Name); ok {
				out[i].Value, out[i].Parts = short(v), partCount(v, left)
			}
		}
	})
	if !between && len(path) > 0 {
		return nil, fmt.Errorf("a cell runs, and may be changing it")
	}
	return out, err
}

// short is what a value holds in a few words; of an interface or a pointer, what that leads to holds. It calls methods
// of the project's arrays alone, and of times: a method of a cell's could take long, or for ever.
func short(v reflect.Value) string {
	inner := target(v)
	if !inner.IsValid() {
		return "nil"
	}
	if ours := strings.HasPrefix(inner.Type().PkgPath(), "github.com/arrayrepl/"); ours && v.CanInterface() {
		if inner.CanAddr() {
			inner = inner.Addr()
		}
		return summary(inner)
	}
	switch k := inner.Kind(); {
	case scalar(k):
		return plain(inner)
	case k == reflect.Slice || k == reflect.Array || k == reflect.Map:
		text := fmt.Sprint("len ", inner.Len())
		if k != reflect.Map && inner.Len() <= 8 && scalar(inner.Type().Elem().Kind()) {
			var words []string
			for i := range inner.Len() {
				words = append(words, plain(inner.Index(i)))
			}
			text += ": [" + clip(strings.Join(words, " "), 80) + "]"
		}
		return text
	case k == reflect.Chan && !inner.IsNil():
		return fmt.Sprintf("%d of %d", inner.Len(), inner.Cap())
	case k == reflect.Struct:
		var words []string
		for i := range inner.NumField() {
			f := inner.Field(i)
			if !scalar(f.Kind()) {
				return ""
			}
			words = append(words, inner.Type().Field(i).Name+":"+plain(f))
		}
		return clip("{"+strings.Join(words, " ")+"}", 80)
	}
	return ""
}

// plain is a scalar without methods, but for those of times.
func plain(v reflect.Value) string {
	if v.Type().PkgPath() == "time" && v.CanInterface() {
		return fmt.Sprint(v.Interface())
	}
	if v.Kind() == reflect.String {
		return strconv.Quote(clip(v.String(), 80))
	}
	switch {
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
	case v.CanComplex():
		return strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits())
	}
	return strconv.FormatBool(v.Bool())
}

// target follows interfaces and one pointer; it is not valid when there is nothing at the end.
func target(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v
}

// partsAlong lists the parts of what the path leads to.
func partsAlong(v reflect.Value, path []string, left bool) ([]Variable, error) {
	for _, step := range path {
		i, err := strconv.Atoi(step)
		if err != nil {
			return nil, err
		}
		parts := partsOf(v, left)
		if i < 0 || i >= len(parts) {
			return nil, fmt.Errorf("the value has changed: it has %d parts now", len(parts))
		}
		v = parts[i].v
	}
	var out []Variable
	for _, p := range partsOf(v, left) {
		out = append(out, Variable{p.name, p.v.Type().String(), short(p.v), partCount(p.v, left)})
	}
	return out, nil
}

// piece is a part of a value.
type piece struct {
	name string
	v    reflect.Value
}

// partCount is how many parts are listed of a value. An array has none: its fields say nothing of its elements.
func partCount(v reflect.Value, left bool) int {
	v = target(v)
	if v.IsValid() {
		if _, ok := reflect.PointerTo(v.Type()).MethodByName("Shape"); ok {
			return 0
		}
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		return min(v.Len(), maxParts)
	case reflect.Map:
		if left {
			return 0
		}
		return min(v.Len(), maxParts)
	case reflect.Struct:
		return v.NumField()
	}
	return 0
}

// partsOf are the elements of a slice, the fields of a struct, the entries of a map in the order of their keys.
func partsOf(v reflect.Value, left bool) (out []piece) {
	n := partCount(v, left)
	switch v = target(v); v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range n {
			out = append(out, piece{fmt.Sprintf("[%d]", i), v.Index(i)})
		}
	case reflect.Struct:
		for i := range n {
			out = append(out, piece{v.Type().Field(i).Name, v.Field(i)})
		}
	case reflect.Map:
		if left {
			return nil
		}
		for iter := v.MapRange(); iter.Next(); {
			out = append(out, piece{"[" + keyText(iter.Key()) + "]", iter.Value()})
			if len(out) > 50*maxParts {
				break
			}
		}
		slices.SortFunc(out, func(a, b piece) int { return cmp.Compare(a.name, b.name) })
		out = out[:min(len(out), n)]
	}
	return out
}

func keyText(k reflect.Value) string {
	if k = target(k); !k.IsValid() {
		return "nil"
	}
	if scalar(k.Kind()) {
		return plain(k)
	}
	return cmp.Or(short(k), k.Type().String())
}
