package ski_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/dp/ski"
)

const two = "(S (S (K S) K) I)"

// Passes that change something, calculated for the rules of section 3.5, an I above the root.
func TestPassesOfThePaper(t *testing.T) {
	for _, c := range []struct {
		text, want string
		passes     int
	}{{"S K K x", "x", 2}, {two + " f x", "f (f x)", 4}, {two + " " + two + " f x", "f (f (f (f x)))", 10}, {"x", "x", 0}, {"I x", "x", 1}} {
		r := ski.Reduce(c.text)
		require.Equal(t, c.want, r.String(), c.text)
		require.Equal(t, c.passes, r.Passes, c.text)
		require.True(t, r.Quiet)
	}
}

// term is an expression for the judge.
type term struct {
	atom        string
	left, right *term
}

func (t *term) String() string {
	if t.left == nil {
		return t.atom
	}
	r := t.right.String()
	if t.right.left != nil {
		r = "(" + r + ")"
	}
	return t.left.String() + " " + r
}

// normal reduces from the left, step by step; nil where that takes long.
func (t *term) normal(fuel *int) *term {
	for {
		if *fuel--; *fuel < 0 {
			return nil
		}
		var args []*term
		head := t
		for head.left != nil {
			args = append(args, head.right)
			head = head.left
		}
		n := len(args)
		arg := func(i int) *term { return args[n-1-i] }
		rest := 0
		var body *term
		switch {
		case head.atom == "I" && n >= 1:
			body, rest = arg(0), 1
		case head.atom == "K" && n >= 2:
			body, rest = arg(0), 2
		case head.atom == "S" && n >= 3:
			body, rest = &term{left: &term{left: arg(0), right: arg(2)}, right: &term{left: arg(1), right: arg(2)}}, 3
		default:
			out := head
			for i := range n {
				a := arg(i).normal(fuel)
				if a == nil {
					return nil
				}
				out = &term{left: out, right: a}
			}
			return out
		}
		for i := rest; i < n; i++ {
			body = &term{left: body, right: arg(i)}
		}
		t = body
	}
}

func random(deep int) *term {
	if deep == 0 || rand.IntN(5) == 0 {
		return &term{atom: []string{"S", "K", "I", "a", "b"}[rand.IntN(5)]}
	}
	return &term{left: random(deep - 1), right: random(deep - 1)}
}

// Expressions at random that have an end come to the same as one step after the other, in few pairs too.
func TestReductionsAreTheSame(t *testing.T) {
	done := 0
	for done < 12 {
		e := random(4)
		fuel := 200
		want := e.normal(&fuel)
		if want == nil {
			continue
		}
		r := ski.Reduce(e.String(), ski.MostPasses(60), ski.Pairs(256))
		if !r.Quiet { // garbage may go on for ever where the whole comes to rest
			continue
		}
		require.Equal(t, want.String(), r.Text, e)
		done++
	}
}

// With few pairs garbage is collected; without any the end is said, and what is preferred decides.
func TestPairsAreShort(t *testing.T) {
	text := two + " " + two + " f x"
	r := ski.Reduce(text, ski.Pairs(26))
	require.Equal(t, "f (f (f (f x)))", r.String())
	require.Positive(t, r.Collected)
	endless := "S I I (S I I)"
	r = ski.Reduce("K x ("+endless+")", ski.Pairs(16), ski.MostPasses(50))
	require.True(t, strings.HasPrefix(r.Text, "x"), r.Text)
	r = ski.Reduce("S (S a) a (S a) b", ski.Pairs(1), ski.Prefer(ski.S))
	require.True(t, r.Exhausted)
	require.Contains(t, r.String(), "no pairs are left after")
	r = ski.Reduce(endless, ski.MostPasses(5), ski.Pairs(64))
	require.False(t, r.Quiet)
	require.Contains(t, r.String(), "not at rest after 5 passes")
}

func TestBadExpressions(t *testing.T) {
	for text, want := range map[string]string{
		"": "nothing to reduce", "S (K": "is not closed", "S)": "a ) too many at character 1", "S ()": "nothing to reduce before character 3", "S X": "character 2 is 'X'",
		strings.Repeat("(", 2000): "nested more than 1000 deep",
	} {
		func() {
			defer func() {
				err, _ := recover().(error)
				require.ErrorContains(t, err, want)
				require.IsType(t, &ski.Error{}, err)
			}()
			ski.Reduce(text)
		}()
	}
}
