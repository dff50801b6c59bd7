package interp

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Functions that were declared anew leave nothing behind, unless somebody can still call them.
func TestOldFunctionsAreForgotten(t *testing.T) {
	r := newRecorder(t, Options{})
	r.Run(1, "func base() int { return 1 }")
	r.Run(2, "func caller() int { return base() + 1 }")
	r.Run(3, "kept := base")
	units := func() int { return len(r.session.units) }
	before := 0
	for i := range 60 {
		require.Equal(t, fmt.Sprintf("%d\n", i+2), r.Run(10+i, fmt.Sprintf("func base() int { return %d }\nfunc other() int { return base() }\ncaller()", i+1)))
		if i == 10 {
			before = units()
		}
	}
	require.LessOrEqual(t, units(), before)
	require.LessOrEqual(t, len(r.session.users), 10)
	require.LessOrEqual(t, len(r.session.sources.units), 10)
	require.Equal(t, "1 60 61 60\n", r.Run(100, "fmt.Println(kept(), base(), caller(), other())"))

	// Another type: the caller keeps the old one.
	require.Equal(t, "61\n", r.Run(101, "func base(n int) int { return n }\ncaller()"))
	require.Equal(t, "7\n", r.Run(102, "base(7)"))
	require.Equal(t, "61\n", r.Run(103, "again := func() int { return caller() }\nagain()"))
	require.Equal(t, "9\n", r.Run(104, "func caller() int { return base(9) }\ncaller()"))
	require.Equal(t, "60\n", r.Run(105, "other()"))

	// Types, their methods and generic functions.
	r.Run(110, "type T struct{ n int }\nfunc make1() T { return T{1} }\nfunc (t T) Get() int { return t.n + base(1) }")
	r.Run(111, "v := make1()")
	r.Run(112, "func make1() T { return T{2} }")
	require.Equal(t, "2 3\n", r.Run(113, "fmt.Println(v.Get(), make1().Get())"))
	r.Run(114, "func pick[E any](xs []E) E { return xs[0] }")
	r.Run(115, "func use() int { return pick([]int{5}) }")
	r.Run(116, "func pick[E any](xs []E) E { return xs[len(xs)-1] }")
	require.Equal(t, "5 6\n", r.Run(117, "fmt.Println(use(), pick([]int{5, 6}))"))
	require.Empty(t, r.session.Reset())
	require.Empty(t, r.session.sources.units)
}
