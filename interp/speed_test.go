package interp

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// growSession runs n cells that declare functions, types with methods, generics and variables.
func growSession(tb testing.TB, s *Session, from, n int) {
	tb.Helper()
	for i := from; i < from+n; i++ {
		src := fmt.Sprintf("x%d := %d", i, i)
		switch i % 4 {
		case 1:
			src = fmt.Sprintf("func f%d(n int) int { return n*n + x%d }\nf%d(2)", i, i-1, i)
		case 2:
			src = fmt.Sprintf("type T%d struct{ a, b int }\nfunc (t T%d) Sum() int { return t.a + t.b + f%d(1) }\nT%d{1, 2}.Sum()", i, i, i-1, i)
		case 3:
			src = fmt.Sprintf("func G%d[E any](xs []E) int { return len(xs) }\nfmt.Sprint(G%d([]int{1}), T%d{3, 4})", i, i, i-1)
		}
		if _, err := s.Run(context.Background(), i, src); err != nil {
			tb.Fatalf("%s: %v", src, err)
		}
	}
}

// best is the least time of several runs of a cell: other work on the machine only adds.
func best(tb testing.TB, s *Session, src string, runs int) time.Duration {
	tb.Helper()
	least := time.Hour
	for range runs {
		start := time.Now()
		if _, err := s.Run(context.Background(), 1, src); err != nil {
			tb.Fatal(err)
		}
		least = min(least, time.Since(start))
	}
	return least
}

func TestCellsDoNotGrowSlower(t *testing.T) {
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	cells := []string{"1 + 1", "y := x0 + 1", "func h(n int) int { return f1(n) }\nh(3)", "fmt.Sprint(T2{1, 2}.Sum())"}
	growSession(t, s, 0, 5)
	early := map[string]time.Duration{}
	for _, c := range cells {
		early[c] = best(t, s, c, 30)
	}
	growSession(t, s, 5, 295)
	for _, c := range cells {
		late := best(t, s, c, 30)
		t.Logf("%-45q cell 5: %v, cell 300: %v", c, early[c], late)
		if late > 3*early[c]+200*time.Microsecond {
			t.Errorf("%q takes %v after 5 cells and %v after 300", c, early[c], late)
		}
	}
}

func BenchmarkCell(b *testing.B) {
	for _, c := range []struct{ name, src string }{
		{"expression", "1 + 1"},
		{"variable", "y := x0 + 1"},
		{"function", "func h(n int) int { return f1(n) }\nh(3)"},
		{"type", "type U struct{ a int }\nfunc (u U) M() int { return u.a }\nU{1}.M()"},
		{"print", "fmt.Sprint(1, 2)"},
		{"loop of 1e6 turns", "s := 0\nfor i := 0; i < 1000000; i++ { s += i }"},
		{"fib(22)", "func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }\nfib(22);"},
	} {
		b.Run(c.name, func(b *testing.B) {
			s, err := New(Options{})
			if err != nil {
				b.Fatal(err)
			}
			growSession(b, s, 0, 5)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Run(context.Background(), 1, c.src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkNewSession(b *testing.B) {
	for b.Loop() {
		if _, err := New(Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
