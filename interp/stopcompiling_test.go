package interp

import (
	"context"
	"fmt"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// large are cells of n parts that take long to compile.
var large = map[string]func(n int) string{
	"numbers": func(n int) string {
		return strings.Repeat("_ = []float64{"+strings.Repeat("1.5, ", 500)+"}\n", n/500)
	},
	"integers":  func(n int) string { return "x := []int{" + strings.Repeat("1, ", n) + "}" },
	"long func": func(n int) string { return "func f(x int) int {\n" + strings.Repeat("x += x * 3\n", n) + "return x\n}" },
	"long method": func(n int) string {
		return "type T int\nfunc (x T) f() T {\n" + strings.Repeat("x += x * 3\n", n) + "return x\n}"
	},
	"sum": func(n int) string { return "y := 1\ny" + strings.Repeat(" + y", min(n, 3000)) },
	"nested": func(n int) string {
		return strings.Repeat("_ = "+strings.Repeat("(", 300)+"1"+strings.Repeat(")", 300)+"\n", n/300)
	},
	"long string": func(n int) string { return `s := "` + strings.Repeat("x", 50*n) + `"` },
	"imports": func(n int) string {
		var b strings.Builder
		for i := range n / 4 {
			fmt.Fprintf(&b, "import f%d \"fmt\"\n", i)
		}
		return b.String() + "f1.Sprint(1)"
	},
	"statements": func(n int) string { return "z := 1\n" + strings.Repeat("z++\n", n) },
	"declarations": func(n int) string {
		var b strings.Builder
		for i := range n / 4 {
			fmt.Fprintf(&b, "func f%d(x int) int { return x + %d }\n", i, i)
		}
		return b.String()
	},
}

// looking is a context that counts how often it is looked whether it has ended, and the bytes that are allocated
// between. It ends at a look.
type looking struct {
	context.Context
	end func()
	at  int // the look at which it ends, 0 for never

	mu         sync.Mutex
	looks      int
	last, most uint64 // what had been allocated at the last look, and the most between two
	ended      uint64 // what had been allocated when it ended
}

func (l *looking) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.looks++
	now := allocated()
	if l.last > 0 {
		l.most = max(l.most, now-l.last)
	}
	if l.last = now; l.looks == l.at {
		l.ended = now
		l.end()
	}
	return l.Context.Err()
}

// allocated is how many bytes have been allocated.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// TestInterruptedCompilationEnds interrupts the compilation of large cells, each at several of its looks. Until the
// next cell has run, few looks come, and hardly more bytes are allocated than between two.
func TestInterruptedCompilationEnds(t *testing.T) {
	testsize.InTurn(t, 1)
	const parts = 6000
	for name, text := range large {
		t.Run(name, func(t *testing.T) {
			src := text(parts)
			start := func(at int) (s *Session, l *looking, run func() error) {
				s, err := New(Options{})
				require.NoError(t, err)
				_, err = s.Run(t.Context(), 1, "1 + 1")
				require.NoError(t, err)
				ctx, end := context.WithCancel(t.Context())
				t.Cleanup(end)
				l = &looking{Context: ctx, end: end, at: at}
				return s, l, func() error { _, err := s.Run(l, 2, src); return err }
			}
			_, whole, run := start(0)
			before := allocated()
			require.NoError(t, run(), name)
			total := allocated() - before
			t.Logf("%s: %d looks, %d kB, at most %.2f of it between two", name, whole.looks, total/1000, float64(whole.most)/float64(total))
			assert.Less(t, whole.most, total*4/5+1<<20, name)
			for _, at := range []int{3, whole.looks / 2, whole.looks - 3} {
				s, l, run := start(at)
				err := run()
				assert.ErrorContains(t, err, "interrupted while the cell was compiled", name)
				b, err := s.Run(t.Context(), 3, "1 + 2")
				if assert.NoError(t, err, name) {
					assert.Equal(t, "3", b.Text())
				}
				l.mu.Lock()
				assert.LessOrEqual(t, l.looks, at+3, name)
				assert.Less(t, allocated()-l.ended, whole.most*5/4+1<<20, "%s, at %d of %d looks", name, at, whole.looks)
				l.mu.Unlock()
			}
		})
	}
}
