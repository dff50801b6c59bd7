package interp

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStructsThatTheirMethodsName are types of which ixgo would never end to make one: they are an error, and the session goes on.
// Their siblings with names, or without the method, work.
func TestStructsThatTheirMethodsName(t *testing.T) {
	s, err := New(Options{})
	require.NoError(t, err)
	defer s.Close()
	const advice = "and this type has the method too: declare a type for it, as type Name struct{"
	for _, src := range []string{
		"type T struct{ n int }\nfunc (t T) Twin() struct{ T } { return struct{ T }{t} }\nT{1}.Twin().n",
		"type T struct{ n int }\nfunc (t *T) Twin(struct{ *T }) {}\n(&T{1}).n",
		"type T struct{ n int }\nfunc (t T) Twins() []map[string]func(struct{ *T; B int }) { return nil }\nT{2}.n",
		"type I interface{ Twin() struct{ I } }\nvar i I\ni == nil",
		"type T[E any] struct{ n E }\nfunc (t T[E]) Twin() struct{ T[E] } { return struct{ T[E] }{t} }\nT[int]{1}.Twin().n",
	} {
		_, err := s.Evaluate(context.Background(), Cell{Number: 1, Source: src})
		require.ErrorContains(t, err, advice, src)
	}
	for src, want := range map[string]any{
		"type C struct{ n int }\nfunc (c C) M() struct{ C C } { return struct{ C C }{c} }\nC{4}.M().C.n":                        4,
		"type E struct{ n int }\ntype F struct{ E }\nfunc (e E) M() F { return F{e} }\nE{5}.M().M().n":                          5,
		"type P struct{ n int }\ntype Q struct{ n int }\nfunc (q Q) M() struct{ P } { return struct{ P }{P{q.n}} }\nQ{6}.M().n": 6,
	} {
		v, err := s.Evaluate(context.Background(), Cell{Number: 1, Source: src})
		require.NoError(t, err, src)
		assert.Equal(t, want, v, src)
	}
}
