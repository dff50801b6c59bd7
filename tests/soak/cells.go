//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
)

// kind is a kind of cell.
type kind struct {
	name   string
	code   func(i int, r *rand.Rand) string
	status string
}

// kinds are what people run: i makes each cell another text.
var kinds = []kind{
	{"value", func(i int, _ *rand.Rand) string { return fmt.Sprintf("%d + 1", i) }, "ok"},
	{"variable", func(i int, _ *rand.Rand) string { return fmt.Sprintf("v%d := %d\nv%d * 2", i%50, i, i%50) }, "ok"},
	{"function", func(i int, _ *rand.Rand) string {
		return fmt.Sprintf("func f%d(n int) int {\n\tt := %d\n\tfor k := range n {\n\t\tt += k\n\t}\n\treturn t\n}\nf%d(100)", i%50, i, i%50)
	}, "ok"},
	{"type", func(i int, _ *rand.Rand) string {
		return fmt.Sprintf("type T%d struct{ A, B int }\nfunc (t T%d) Sum() int { return t.A + t.B + %d }\nT%d{1, 2}.Sum()", i%20, i%20, i, i%20)
	}, "ok"},
	{"array", func(i int, _ *rand.Rand) string { return fmt.Sprintf("a := np.Arange(1000) + %d\na.Sum()", i) }, "ok"},
	{"array expression", func(i int, r *rand.Rand) string {
		return fmt.Sprintf("m := np.Ones(%d, 64) * 2.0\n(m + %d.0).Mean()", 1+r.IntN(64), i%7)
	}, "ok"},
	{"output", func(i int, _ *rand.Rand) string {
		return fmt.Sprintf("for k := range 20 { fmt.Println(\"line\", k, %d) }", i)
	}, "ok"},
	{"table", func(i int, _ *rand.Rand) string { return fmt.Sprintf("map[string]int{\"a\": %d, \"b\": 2}", i) }, "ok"},
	{"display", func(i int, _ *rand.Rand) string { return fmt.Sprintf("display.Show(display.HTML(\"<b>%d</b>\"))", i) }, "ok"},
	{"goroutine", func(i int, _ *rand.Rand) string {
		return fmt.Sprintf("func() { done := make(chan int); go func() { done <- %d }(); fmt.Println(<-done) }()", i)
	}, "ok"},
	{"compile error", func(i int, _ *rand.Rand) string { return fmt.Sprintf("undefined%d + 1", i) }, "error"},
	{"panic", func(i int, _ *rand.Rand) string { return fmt.Sprintf("panic(%d)", i) }, "error"},
}

// endless are cells for interrupts.
var endless = []string{
	"for { }",
	"time.Sleep(time.Hour)",
	"<-make(chan int)",
	"for i := 0; ; i++ { if i%1000 == 0 { fmt.Println(i) } }",
	"for { np.Ones(300, 300).Sum() }",
	"exec.Command(\"sleep\", \"1000\").Run()",
	"var mu sync.Mutex\nmu.Lock()\nmu.Lock()",
	"for { sort.Ints(make([]int, 1000)) }",
	"go func() { for { } }()\nselect { }",
	"for { func() { defer func() { recover() }(); panic(1) }() }",
}
