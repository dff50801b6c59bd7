package display

import (
	"errors"
	"fmt"
	"image"
	"io"
	"iter"
	"math/big"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type (
	shouting struct{ A int }
	calledBy struct{ n int }
	promoted struct {
		*calledBy
		Label string
	}
	noText  struct{ A int }
	noJSON  struct{ A int }
	halfOf  struct{ A int }
	private struct {
		at    time.Time
		total *big.Int
	}
	outer struct {
		private
		Z int
	}
	drawn   struct{ n int }
	guarded struct{ mu sync.Mutex }
)

func (shouting) String() string             { panic("boom") }
func (n *calledBy) String() string          { return fmt.Sprint("named ", n.n) }
func (noText) MarshalText() ([]byte, error) { return nil, errors.New("no text today") }
func (noJSON) MarshalJSON() ([]byte, error) { return nil, errors.New("no JSON today") }
func (halfOf) MarshalJSON() ([]byte, error) { return []byte(`{"a":`), nil }
func (d *drawn) HTML() string               { return fmt.Sprintf("<b>%d</b>", d.n) }
func (g *guarded) HTML() string             { g.mu.Lock(); defer g.mu.Unlock(); return "<b>guarded</b>" }
func withinTwo() error                      { return fmt.Errorf("two: %w", io.EOF) }

// TestValuesWhoseMethodsFail: a method that panics or returns an error hides nothing of the value. What Go writes for
// one stands in the specification of composite literals.
func TestValuesWhoseMethodsFail(t *testing.T) {
	for _, tt := range []struct {
		v    any
		want string
	}{
		{shouting{1}, "display.shouting{A: 1}\n(String panicked: boom)"},
		{&shouting{1}, "&display.shouting{A: 1}\n(String panicked: boom)"},
		{[]shouting{{1}, {2}}, "[]display.shouting{{A: 1}, {A: 2}}"},
		{map[string]any{"k": shouting{3}}, `map[string]any{"k": display.shouting{A: 3}}`},
		{promoted{nil, "x"}, "display.promoted{calledBy: nil, Label: \"x\"}\n(String panicked: runtime error: invalid memory address or nil pointer dereference)"},
		{promoted{&calledBy{3}, "x"}, "named 3"},
		{noText{1}, "display.noText{A: 1}\n(MarshalText: no text today)"},
		{noJSON{1}, "display.noJSON{A: 1}\n(MarshalJSON: no JSON today)"},
		{halfOf{1}, "display.halfOf{A: 1}\n(MarshalJSON: what it returns is not JSON: \"{\\\"a\\\":\")"},
	} {
		b, err := Of(tt.v)
		require.NoError(t, err)
		assert.Equal(t, tt.want, b.Text())
	}
}

// TestErrorsOfOneOfSeveral: what one of several wrapped errors wraps is not one of the several.
func TestErrorsOfOneOfSeveral(t *testing.T) {
	b, err := Of(errors.Join(errors.New("one"), withinTwo(), io.ErrUnexpectedEOF))
	require.NoError(t, err)
	assert.Equal(t, []string{
		"error: one", "two: EOF", "unexpected EOF", "  *errors.joinError", "    *errors.errorString: one", "    *fmt.wrapError: two: EOF",
		"      *errors.errorString: EOF", "    *errors.errorString: unexpected EOF",
	}, strings.Split(b.Text(), "\n"))
}

// TestNumbersAndTimesWithinStructs: fmt writes a *big.Int as its number; by value and in fields that are not exported,
// embedded ones too, it is the same number.
func TestNumbersAndTimesWithinStructs(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	hidden := private{at, big.NewInt(7)}
	for _, tt := range []struct {
		v    any
		want string
	}{
		{*big.NewInt(5), fmt.Sprint(big.NewInt(5))},
		{[]big.Int{*big.NewInt(5)}, "[]big.Int{5}"},
		{hidden, "display.private{at: 2026-03-04 05:06:07 +0000 UTC, total: 7}"},
		{outer{hidden, 2}, "display.outer{at: 2026-03-04 05:06:07 +0000 UTC, total: 7, Z: 2}"},
		{outer{}, "display.outer{at: 0001-01-01 00:00:00 +0000 UTC, total: nil, Z: 0}"},
		{image.Rect(1, 2, 3, 4), fmt.Sprint(image.Rect(1, 2, 3, 4))},
	} {
		b, err := Of(tt.v)
		require.NoError(t, err)
		assert.Equal(t, tt.want, b.Text())
		assert.NotContains(t, b.Data, TypePNG)
	}
}

// TestStructsWhosePointersShowThemselves: var d drawn, and d, is shown as &d is, but where that would copy a lock.
func TestStructsWhosePointersShowThemselves(t *testing.T) {
	byValue, err := Of(drawn{3})
	require.NoError(t, err)
	byPointer, err := Of(&drawn{3})
	require.NoError(t, err)
	assert.Equal(t, byPointer.Data[TypeHTML], byValue.Data[TypeHTML])
	assert.Equal(t, "display.drawn{n: 3}", byValue.Text())

	var g guarded
	g.mu.Lock()
	done := make(chan Bundle)
	go func() { b, _ := Of(reflect.ValueOf(&g).Elem().Interface()); done <- b }() // a copy, as a cell shows g
	select {
	case b := <-done:
		assert.NotContains(t, fmt.Sprint(b.Data[TypeHTML]), "<b>guarded")
	case <-time.After(10 * time.Second):
		t.Fatal("a copied lock is waited for")
	}
}

// TestWhatHelpersRefuse: errors that say what is wanted, not those of Go for nil.
func TestWhatHelpersRefuse(t *testing.T) {
	for want, f := range map[string]func(){
		"display.Track wants an iter.Seq, not nil":                           func() { Track(iter.Seq[int](nil)) },
		"display.Image wants a picture, not nil":                             func() { Image(nil) },
		"display.Audio: 0 samples a second are not the rate of a sound":      func() { Audio([]float64{0, 1}, 0) },
		"display.Audio: -8000 samples a second are not the rate of a sound":  func() { Audio([]float64{0, 1}, -8000) },
		"display.Audio wants one row of samples, or two for two ears, not 0": func() { Audio([][]float64{}) },
		"display.Audio wants one row of samples, or two for two ears, not 3": func() { Audio(make([][]float64, 3)) },
	} {
		func() {
			defer func() {
				err, ok := recover().(error)
				require.True(t, ok, want)
				assert.ErrorContains(t, err, want)
			}()
			f()
		}()
	}
	same := Audio([]float64{0, 0.5, -1}, 8000).Data[TypeHTML]
	assert.Equal(t, same, Audio([]int16{0, 16384, -32768}, 8000).Data[TypeHTML])
}
