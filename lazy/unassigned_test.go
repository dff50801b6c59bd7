package lazy

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestUnassigned: every method of an array that was never assigned, nil or the zero Array, says so.
func TestUnassigned(t *testing.T) {
	for name, a := range map[string]*Array{"nil": nil, "zero": {}} {
		v := reflect.ValueOf(a)
		for i := range v.NumMethod() {
			method := v.Type().Method(i)
			if printed := []string{"String", "Format", "Close", "UnmarshalJSON", "MIMEBundle"}; slices.Contains(printed, method.Name) {
				continue
			}
			in := []reflect.Value{}
			typ := v.Method(i).Type()
			for j := range typ.NumIn() {
				if typ.IsVariadic() && j == typ.NumIn()-1 {
					break
				}
				in = append(in, something(typ.In(j)))
			}
			func() {
				defer func() {
					p := recover()
					err, _ := p.(error)
					if assert.NotNil(t, err, "%s.%s", name, method.Name) {
						assert.Contains(t, err.Error(), "never assigned", "%s.%s", name, method.Name)
					}
				}()
				for _, out := range v.Method(i).Call(in) {
					if err, ok := out.Interface().(error); ok && err != nil {
						panic(err)
					}
				}
			}()
		}
	}
	assert.ErrorContains(t, TryEval(nil), "never assigned")
	assert.ErrorContains(t, TryEval(&Array{}), "never assigned")
	assert.Equal(t, "<nil> <nil>", fmt.Sprint((*Array)(nil), &Array{}))
}

// something is a value that a method may take.
func something(t reflect.Type) reflect.Value {
	switch t.Kind() {
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return reflect.ValueOf(1.0)
		}
	case reflect.Pointer:
		if t == reflect.TypeFor[*Array]() {
			return reflect.ValueOf(Ones(1))
		}
		return reflect.New(t.Elem())
	case reflect.Int:
		return reflect.ValueOf(1)
	}
	return reflect.Zero(t)
}
