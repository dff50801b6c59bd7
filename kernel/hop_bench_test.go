package kernel

import (
	"os"
	"testing"
)

// BenchmarkHop reports what it costs that the session has a process of its own: a question that takes no time there,
// and a cell that prints and shows nothing.
func BenchmarkHop(b *testing.B) {
	r := &remote{argv: []string{os.Args[0], "session"}, loose: func(string, string) {}, log: b.Logf}
	r.start()
	defer r.close()
	r.IsComplete("1")
	b.Run("question", func(b *testing.B) {
		for b.Loop() {
			r.IsComplete("1")
		}
	})
	b.Run("cell", func(b *testing.B) {
		for b.Loop() {
			if _, err := r.Execute(b.Context(), Cell{Code: "x := 41"}, nowhere{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
