package interp

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A type that is declared again and again keeps the programs of its methods, as values of the old ones may be anywhere,
// and little else of its cells.
func TestTypesDeclaredAgain(t *testing.T) {
	if !alone(t) {
		return
	}
	s, err := New(Options{})
	require.NoError(t, err)
	defer s.Close()
	run := func(src string) string {
		shown, err := s.Run(context.Background(), 1, src)
		require.NoError(t, err, src)
		text, _ := shown.Data["text/plain"].(string)
		return text
	}
	declare := func(from, to int) {
		for i := from; i < to; i++ {
			run(fmt.Sprintf("type T struct{ A, B int }\nfunc (t T) Sum() int { return t.A + t.B + %d }\nfunc (t *T) Twice() int { return 2 * t.Sum() }\nT{1, 2}.Sum()", i))
		}
	}
	declare(0, 30)
	const cells = 300
	before := heap()
	declare(0, cells)
	each := (heap() - before) / cells
	t.Logf("a type declared again keeps %d bytes", each)
	assert.Less(t, int(each), 60_000) // 70,000 with what only the making and the run of the cell need

	run("kept := []any{}")
	for i := range 20 {
		run(fmt.Sprintf("type T struct{ A, B int }\nfunc (t *T) Sum() int { return t.A + t.B + twenty(%d) }\nfunc twenty(n int) int { if n > 3 { return 20*n }; return twenty(n+1) - 20 }\nkept = append(kept, &T{1, %d})", i, i))
	}
	want := 0
	for i := range 20 {
		want += 1 + i + 20*i
	}
	assert.Equal(t, strconv.Itoa(want), run("sum := 0\nfor _, v := range kept { sum += v.(interface{ Sum() int }).Sum() }\nsum"))
	assert.Equal(t, strconv.Itoa(want), run("sum = 0\nfor _, v := range kept { sum += reflect.ValueOf(v).MethodByName(\"Sum\").Call(nil)[0].Interface().(int) }\nsum"))
}
