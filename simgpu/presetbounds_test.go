package simgpu

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every number of a machine has bounds: with one that no machine has, it is refused.
func TestEveryNumberOfAPresetHasBounds(t *testing.T) {
	for _, base := range []string{"g80", "gtx280", "a100", "a100x8", "h200", "tiny"} {
		p, err := PresetByName(base)
		require.NoError(t, err)
		require.NoError(t, p.Check())
		p.SharedCarveouts = append(p.SharedCarveouts, 0)
		numbers := 0
		var walk func(path string, v reflect.Value)
		walk = func(path string, v reflect.Value) {
			switch v.Kind() {
			case reflect.Struct:
				for i := range v.NumField() {
					walk(path+"."+v.Type().Field(i).Name, v.Field(i))
				}
			case reflect.Slice, reflect.Array:
				for i := range v.Len() {
					walk(fmt.Sprintf("%s[%d]", path, i), v.Index(i))
				}
			case reflect.Int, reflect.Int64:
				numbers++
				was := v.Int()
				for _, n := range []int64{-1, math.MinInt64, 1 << 62, math.MaxInt64} {
					v.SetInt(n)
					require.Error(t, p.Check(), "%s: %s = %d", base, path, n)
				}
				v.SetInt(was)
			case reflect.Float64:
				numbers++
				was := v.Float()
				for _, n := range []float64{-1, 0, math.NaN(), math.Inf(1), 1 << 62} {
					v.SetFloat(n)
					require.Error(t, p.Check(), "%s: %s = %g", base, path, n)
				}
				v.SetFloat(was)
			}
		}
		walk("", reflect.ValueOf(&p).Elem())
		require.Greater(t, numbers, 60)
		require.NoError(t, p.Check())
	}
}
