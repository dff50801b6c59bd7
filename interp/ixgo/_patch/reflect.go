package reflect

import "reflect"

// TypeAssert is v.Interface().(T).
func TypeAssert[T any](v reflect.Value) (T, bool) {
	x, ok := v.Interface().(T)
	return x, ok
}
