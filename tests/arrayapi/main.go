// Command arrayapi calls package arrays for a program in another language: each line of standard input is a call, each
// line of standard output its result, both JSON. The Python module beside it makes an array namespace of it, for the
// conformance suite of the array API standard.
//
// A call is {"f": function, "args": [...]}; a result {"out": [...]} or {"error": text}. Arrays are {"a": dtype,
// "shape": [...], "data": base64}, numbers {"i": text}, {"f": text} and {"c": [text, text]}, dtypes {"d": name}, slices
// {"slice": [from, to, step]} with null for what is left out, options of reductions {"o": {...}}.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"reflect"
	"strconv"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func main() {
	in, out := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<20)), bufio.NewWriterSize(os.Stdout, 1<<20)
	for in.More() {
		var c struct {
			F    string
			Args []any
		}
		if err := in.Decode(&c); err != nil {
			log.Fatal(err)
		}
		results, err := call(c.F, c.Args)
		reply := map[string]any{"out": results}
		if err != nil {
			reply = map[string]any{"error": err.Error()}
		}
		line, err := json.Marshal(reply)
		if err == nil {
			_, err = out.Write(append(line, '\n'))
		}
		if err == nil {
			err = out.Flush()
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}

// call runs the function of a name, or the method of that name of the first argument.
func call(name string, args []any) (results []any, err error) {
	defer func() {
		if r := recover(); r != nil {
			var typed *np.Error
			if e, ok := r.(error); !ok || !errors.As(e, &typed) {
				panic(r) // a fault of ours: the process ends, and the test with it
			}
			err = typed
		}
	}()
	f := reflect.ValueOf(functions[name])
	if !f.IsValid() {
		if len(args) == 0 {
			return nil, fmt.Errorf("there is no function %q", name)
		}
		a, err := decoded(args[0], reflect.TypeFor[*np.Array]())
		if err != nil {
			return nil, err
		}
		if f, args = a.MethodByName(name), args[1:]; !f.IsValid() {
			return nil, fmt.Errorf("there is no function or method %q", name)
		}
	}
	t := f.Type()
	in := make([]reflect.Value, len(args))
	for i, arg := range args {
		var want reflect.Type
		switch last := t.NumIn() - 1; {
		case t.IsVariadic() && i >= last:
			want = t.In(last).Elem()
		case i > last:
			return nil, fmt.Errorf("%s takes %d arguments", name, last+1)
		default:
			want = t.In(i)
		}
		if in[i], err = decoded(arg, want); err != nil {
			return nil, fmt.Errorf("argument %d of %s: %w", i, name, err)
		}
	}
	for _, out := range f.Call(in) {
		if e, ok := out.Interface().(error); ok {
			return nil, e
		}
		if out.Type() != reflect.TypeFor[error]() {
			results = append(results, encoded(out))
		}
	}
	return results, nil
}

// decoded is an argument as a value of type t.
func decoded(v any, t reflect.Type) (reflect.Value, error) {
	g, err := plain(v)
	if err != nil {
		return reflect.Value{}, err
	}
	if g == nil {
		return reflect.Zero(t), nil
	}
	r := reflect.ValueOf(g)
	switch {
	case r.Type().AssignableTo(t):
		return r, nil
	case t == reflect.TypeFor[float64]() && r.CanInt():
		return reflect.ValueOf(float64(r.Int())), nil
	}
	return r, fmt.Errorf("a %v is given; a %v is needed", r.Type(), t)
}

// plain is an argument as the Go value that it stands for.
func plain(v any) (any, error) {
	switch v := v.(type) {
	case []any:
		return list(v)
	case map[string]any:
		return tagged(v)
	}
	return v, nil // null, a bool, a string
}

// list is a []int, a [][]int or a []any, whichever is the first that holds its elements.
func list(v []any) (any, error) {
	all, ints, rows := make([]any, len(v)), make([]int, len(v)), make([][]int, len(v))
	whole, nested := true, true
	for i, e := range v {
		p, err := plain(e)
		if err != nil {
			return nil, err
		}
		var ok bool
		all[i] = p
		ints[i], ok = p.(int)
		whole = whole && ok
		rows[i], ok = p.([]int)
		nested = nested && ok
	}
	switch {
	case whole:
		return ints, nil
	case nested:
		return rows, nil
	}
	return all, nil
}

func tagged(v map[string]any) (any, error) {
	if _, ok := v["a"]; ok {
		return array(v)
	}
	for tag, content := range v {
		text, _ := content.(string)
		switch tag {
		case "i":
			if u, err := strconv.ParseUint(text, 10, 64); err == nil && u > 1<<63-1 {
				return u, nil
			}
			return strconv.Atoi(text)
		case "f":
			return strconv.ParseFloat(text, 64)
		case "c":
			parts := content.([]any)
			re, err1 := strconv.ParseFloat(parts[0].(string), 64)
			im, err2 := strconv.ParseFloat(parts[1].(string), 64)
			return complex(re, im), errors.Join(err1, err2)
		case "d":
			return dtype(text)
		case "slice":
			return slice(content.([]any))
		case "dots":
			return np.Dots, nil
		case "newaxis":
			return np.NewAxis, nil
		case "ints": // a list that stays one where it is empty
			return integers(content), nil
		case "axis", "keepdims", "ddof", "length", "scaled":
			return option(tag, content)
		}
	}
	return nil, fmt.Errorf("%v is not an argument", v)
}

// array reads an array, whose fields come in any order.
func array(v map[string]any) (any, error) {
	d, err := dtype(v["a"].(string))
	if err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.DecodeString(v["data"].(string))
	if err != nil {
		return nil, err
	}
	a := np.New(d, integers(v["shape"])...)
	// a fresh array shares its bytes; those of data may begin anywhere
	if n := copy(a.Bytes(), data); n != a.NBytes() || n != len(data) {
		return nil, fmt.Errorf("%d bytes are given for %d", len(data), a.NBytes())
	}
	return a, nil
}

func dtype(name string) (np.DType, error) {
	for d := range np.DType(64) {
		if d.String() == name {
			return d, nil
		}
	}
	return 0, fmt.Errorf("%q is not a dtype", name)
}

func slice(bounds []any) (any, error) {
	s := np.Slice{Lo: np.End, Hi: np.End, Step: 1}
	for i, to := range []*int{&s.Lo, &s.Hi, &s.Step} {
		if bounds[i] != nil {
			*to = int(bounds[i].(float64))
		}
	}
	if bounds[0] == nil && s.Step > 0 {
		s.Lo = 0
	}
	return s, nil
}

func option(tag string, content any) (any, error) {
	if tag == "keepdims" {
		return np.KeepDims(), nil
	}
	if tag == "scaled" {
		return np.Scaled(content.(string)), nil
	}
	switch ints := integers(content); tag {
	case "axis":
		return np.Axis(ints...), nil
	case "ddof":
		return np.DDof(ints[0]), nil
	default:
		return np.Length(ints...), nil
	}
}

func integers(content any) []int {
	ints := []int{}
	for _, n := range content.([]any) {
		ints = append(ints, int(n.(float64)))
	}
	return ints
}

// encoded is a result as JSON.
func encoded(r reflect.Value) any {
	switch v := r.Interface().(type) {
	case *np.Array:
		return map[string]any{"a": v.DType().String(), "shape": append([]int{}, v.Shape()...), "data": base64.StdEncoding.EncodeToString(v.Bytes())}
	case np.DType:
		return map[string]any{"d": v.String()}
	case float64:
		return map[string]any{"f": strconv.FormatFloat(v, 'g', -1, 64)}
	}
	switch r.Kind() {
	case reflect.Slice:
		out := make([]any, r.Len())
		for i := range out {
			out[i] = encoded(r.Index(i))
		}
		return out
	case reflect.Struct:
		out := map[string]any{}
		for i := range r.NumField() {
			out[r.Type().Field(i).Name] = encoded(r.Field(i))
		}
		return out
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return map[string]any{"i": fmt.Sprint(r.Interface())}
	}
	return r.Interface()
}
