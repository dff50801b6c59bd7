package symbols_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
)

// A method of a cell's type that is called without reflection does what it does through an interface; where its
// receiver is not the value itself, or there is no session any more, there is no such call.
func TestMethodsOfCellsAreCalledWithoutReflection(t *testing.T) {
	symbols.Register()
	s, err := interp.New(interp.Options{Engine: ixgo.New(), Packages: symbols.Packages()})
	require.NoError(t, err)
	defer s.Close()
	_, err = s.Run(t.Context(), 1, `
type adds interface{ Add(x int64, to []int) int }
type byValue struct{ k int }
func (b byValue) Add(x int64, to []int) int {
	for _, v := range to {
		b.k += v
	}
	return b.k + int(x)
}
type byPointer struct{ k int }
func (b *byPointer) Add(x int64, to []int) int { b.k += int(x) + len(to); return b.k }
type embeds struct{ byValue }
type two struct{}
func (two) Add(x int64, to []int) (int, error) { return 1, nil }
var value, pointer, ofPointer, promoted adds = byValue{2}, &byPointer{3}, &byValue{4}, embeds{byValue{5}}
var both any = two{}`)
	require.NoError(t, err)
	get := func(name string) any {
		v, ok := s.Value(name)
		require.True(t, ok, name)
		return v.Interface()
	}
	value := get("value")
	type adds interface {
		Add(x int64, to []int) int
	}
	call := ixgo.Method(value, "Add")
	require.NotNil(t, call)
	for x := range int64(9) {
		to := []int{1, int(x)}
		assert.Equal(t, value.(adds).Add(x, to), call([]any{value, x, to}))
	}
	pointer := get("pointer")
	call = ixgo.Method(pointer, "Add")
	require.NotNil(t, call)
	assert.Equal(t, 9, call([]any{pointer, int64(4), []int{1, 2}}))
	assert.Equal(t, 10, pointer.(adds).Add(1, nil))
	for name, v := range map[string]any{
		"a pointer to what the method takes": get("ofPointer"), "a promoted method": get("promoted"),
		"two results": get("both"), "compiled": 1,
	} {
		assert.Nil(t, ixgo.Method(v, "Add"), name)
	}
	assert.Nil(t, ixgo.Method(value, "Sub"))
	s.Close()
	assert.Nil(t, ixgo.Method(value, "Add"))
}

// Methods are looked for while another cell is compiled, as a machine does that goes on beside it: the race detector
// looks at the cell's types.
func TestMethodsAreFoundWhileACellIsCompiled(t *testing.T) {
	symbols.Register()
	s, err := interp.New(interp.Options{Engine: ixgo.New(), Packages: symbols.Packages()})
	require.NoError(t, err)
	defer s.Close()
	_, err = s.Run(t.Context(), 1, "type first struct{}\nfunc (first) Pick() int { return 1 }\nvar value any = first{}")
	require.NoError(t, err)
	v, ok := s.Value("value")
	require.True(t, ok)
	done, missed := make(chan struct{}), make(chan int)
	go func() {
		n := 0
		for {
			select {
			case <-done:
				missed <- n
				return
			default:
				if ixgo.Method(v.Interface(), "Pick") == nil {
					n++
				}
			}
		}
	}()
	for i := range 8 {
		_, err = s.Run(t.Context(), i+2, fmt.Sprintf(`type t%d struct{ a map[int][]string }
func (t%[1]d) Pick() int { return 2 }
func (x *t%[1]d) Len() int { return len(x.a) }
func f%[1]d(x [%[1]d]func(t%[1]d) map[string]*t%[1]d) any { return x }`, i))
		assert.NoError(t, err)
	}
	close(done)
	assert.Zero(t, <-missed)
}
