package supervise_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
)

// A panic in a goroutine is told with the lines where it happened, as Go prints them, and not with those where the cell
// waited meanwhile.
func TestGoroutinePanicsTellTheirLines(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	r.Run(1, strings.Join([]string{
		"func index(i int) {",
		"	var a []int",
		"	a[i] = 3",
		"}",
		"func deep(i int) {",
		"	if i > 0 {",
		"		deep(i - 1)",
		"		return",
		"	}",
		"	index(1)",
		"}",
		"func summed(i int) (s int) { // a loop, which the numeric tier takes",
		"	for k := range 100 {",
		"		s += k / (i - k)",
		"	}",
		"	return s",
		"}",
		"func first() { defer func() { index(2) }(); panic(1) }",
		"func recovers() { defer func() { recover() }(); index(3) }",
	}, "\n"))
	const inIndex = "cell 1, line 3, in index\n"
	for _, c := range []struct{ src, want string }{
		{"go index(1)", inIndex},
		{"go func() {\n\tindex(1)\n}()", inIndex + "cell 2, line 2, in a function literal\n"},
		{"var done sync.WaitGroup\ndone.Add(1)\ngo func() {\n\tdefer done.Done()\n\tindex(1)\n}()\ndone.Wait()", inIndex + "cell 2, line 5, in a function literal\n"},
		{"go deep(3)", inIndex + "cell 1, line 10, in deep\ncell 1, line 7, in deep, and again\n"},
		{"go summed(50)", "cell 1, line 14, in summed\n"},
		{"go func() {\n\trecovers()\n\tvar m map[int]int\n\tm[1] = 2\n}()", "cell 2, line 4, in a function literal\n"},
		{"go first()", inIndex + "cell 1, line 18, in first (function literal)\ncell 1, line 18, in first\n"},
		{"go func() {\n\tvar p *int\n\t*p = 3\n}()", "cell 2, line 3, in a function literal\n"},
		{"go func() {\n\tvar v any = 1\n\t_ = v.(string)\n}()", "cell 2, line 3, in a function literal\n"},
		{"type Ring struct{ at []int }\nfunc (r *Ring) take() int { return r.at[4] }\ngo (&Ring{}).take()", "cell 2, line 2, in (*Ring).take\n"},
	} {
		_, err := r.session.Run(context.Background(), 2, c.src+"\ntime.Sleep(time.Minute)")
		var e *interp.Error
		require.ErrorAs(t, err, &e, c.src)
		assert.Contains(t, e.Message, "[in a goroutine]", c.src)
		got := ""
		for _, line := range e.Lines(false)[1:] {
			got += strings.TrimSpace(line) + "\n"
		}
		assert.Equal(t, c.want, got, c.src)
	}
}
