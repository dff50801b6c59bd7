package dp_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/dp"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Texts under concatenation, which does not commute, are what a loop makes of them, on lengths about those of tiles.
func TestTextsAreJoined(t *testing.T) {
	use(t)
	join := dp.Op(&gosrc.Func{Name: "join", Value: func(a, b string) string { return a + b }}, "")
	for _, n := range []int{0, 1, 33, 300, 2100} {
		x, heads := make([]string, n), make([]bool, n)
		scan, before, seg, segBefore, reduced := []string{}, []string{}, []string{}, []string{}, []string{}
		all, part := "", ""
		for i := range x {
			x[i] = string(rune('a' + rand.IntN(26)))
			if heads[i] = rand.IntN(9) == 0; heads[i] || i == 0 {
				part, reduced = "", append(reduced, "")
			}
			before, segBefore = append(before, all), append(segBefore, part)
			all, part = all+x[i], part+x[i]
			scan, seg, reduced[len(reduced)-1] = append(scan, all), append(seg, part), part
		}
		s := dp.Heads(heads)
		strings := func(a *np.Array) []string { return append([]string{}, a.Strings()...) }
		require.Equal(t, seg, strings(dp.SegScan(join, x, s)))
		require.Equal(t, segBefore, strings(dp.SegScanEx(join, x, s)))
		require.Equal(t, reduced, strings(dp.SegReduce(join, x, s)))
		if n > 300 { // a text of n letters for each of n
			continue
		}
		require.Equal(t, scan, strings(dp.Scan(join, x)))
		require.Equal(t, before, strings(dp.ScanEx(join, x)))
	}
	require.Equal(t, []string{"ab", "", "c"}, dp.SegReduce(join, []string{"a", "b", "c"}, dp.Lengths([]int{2, 0, 1})).Strings())
	require.NoError(t, dp.CheckOp(join, []string{"", "x", "yz"}))
	require.NoError(t, dp.CheckOp(dp.Op(joined, ""), []string{"", "x", "yz"}), "a program has the function alone")
	long := dp.Op(&gosrc.Func{Name: "wrap", Value: func(a, b string) string { return "(" + a + b + ")" }})
	require.ErrorContains(t, dp.CheckOp(long, []string{"x", "y"}), `wrap is not associative: wrap(wrap("x", "x"), "x") is "((xx)x)"`)
	for want, call := range map[string]func(){
		"the array has elements of int64, the function join takes texts": func() { dp.Scan(join, []int{1}) },
		"begins with the operator's identity":                            func() { dp.ScanEx(long, []string{"a"}) },
		"1 are empty":                                                    func() { dp.SegReduce(long, []string{"a"}, dp.Lengths([]int{0, 1})) },
		"join combines texts, not numbers":                               func() { dp.Send([]string{"a"}, []int{0}, join) },
		"its identity is a int: give a string":                           func() { dp.Op(&gosrc.Func{Name: "join", Value: func(a, b string) string { return a }}, 3) },
		"records are scanned by dp.ScanRecords":                          func() { dp.Scan(dp.Sum, np.RecordsOf([]struct{ A int }{{1}})) },
	} {
		require.Contains(t, message(call), want)
	}
}

func joined(a, b string) string { return a + b }
