//go:build unix

package repl_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What a person waits for, with 10,000 cells of history; make bench-repl prints it beside IPython's. Bars: a prompt in
// 100 ms, a key in 10 ms.
const historyCells = 10_000

// A peer is a REPL in a terminal: how it starts, and what its prompt looks like.
type peer struct {
	name   string
	start  func(b *testing.B) *fake
	prompt string
}

func peers(b *testing.B) []peer {
	all := []peer{{"arrayrepl", startWithHistory, "In [1]: "}}
	python := os.Getenv("ARRAYREPL_PYTHON")
	if python == "" || exec.Command(python, "-c", "import IPython").Run() != nil {
		b.Log("beside nothing: ARRAYREPL_PYTHON names no Python with IPython")
		return all
	}
	return append(all, peer{"IPython", func(b *testing.B) *fake { return startIPython(b, python) }, "]: "})
}

func startWithHistory(b *testing.B) *fake {
	home := b.TempDir()
	var lines bytes.Buffer
	for i := range historyCells {
		line, err := json.Marshal(map[string]any{"datetime": time.Now(), "block": fmt.Sprintf("value%d := np.Sum(np.Arange(%d))", i, i)})
		require.NoError(b, err)
		lines.Write(append(line, '\n'))
	}
	must(b, os.MkdirAll(filepath.Join(home, "arrayrepl"), 0o755))
	must(b, os.WriteFile(filepath.Join(home, "arrayrepl", "history"), lines.Bytes(), 0o600))
	return play(b, window, textTerminal, 0, []string{"XDG_CONFIG_HOME=" + home})
}

// startIPython has as much history: its own writes it, into a data base of its own.
func startIPython(b *testing.B, python string) *fake {
	home := b.TempDir()
	fill := exec.Command(python, "-c", fmt.Sprintf(`
from IPython.core.history import HistoryManager
from traitlets.config import Config
import os
os.makedirs(os.path.join(os.environ["IPYTHONDIR"], "profile_default"), exist_ok=True)
h = HistoryManager(hist_file=os.path.join(os.environ["IPYTHONDIR"], "profile_default", "history.sqlite"), config=Config())
h.db.executemany("INSERT INTO history VALUES (?, ?, ?, ?)", [(h.session_number, i + 1, f"value{i} = sum(range({i}))", f"value{i} = sum(range({i}))") for i in range(%d)])
h.db.commit()
`, historyCells))
	fill.Env = append(os.Environ(), "IPYTHONDIR="+home)
	if out, err := fill.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return playCommand(b, exec.Command(python, "-m", "IPython", "--no-banner"), window, textTerminal, 0, []string{"IPYTHONDIR=" + home})
}

func BenchmarkFirstPrompt(b *testing.B) {
	for _, p := range peers(b) {
		b.Run(p.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				b.StopTimer()
				begin := time.Now()
				f := p.start(b)
				begin = maxTime(begin, f.begun)
				b.StartTimer()
				f.waitFor(b, func(s string) bool { return strings.Contains(s, p.prompt) })
				took = append(took, time.Since(begin))
				b.StopTimer()
				f.stop()
				b.StartTimer()
			}
			report(b, took)
		})
	}
}

func maxTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Keys: letters of a line, Up through the history, a search in it.
func BenchmarkKey(b *testing.B) {
	for _, p := range peers(b) {
		for _, c := range []struct{ name, before, key string }{
			{"letter", "", "v"},
			{"up", "value", "\x1b[A"},
			{"search", "\x12", "9"},
			{"in-2000-lines", "\x1b[200~" + longFunction(2000) + "\x1b[201~", "v"},
		} {
			b.Run(c.name+"/"+p.name, func(b *testing.B) {
				f := p.start(b)
				f.waitFor(b, func(s string) bool { return strings.Contains(s, p.prompt) })
				time.Sleep(time.Second) // what follows a start
				f.pty.WriteString(c.before)
				time.Sleep(time.Second)
				var took []time.Duration
				for b.Loop() {
					for range 5 {
						b.StopTimer()
						n := len(f.all())
						begin := time.Now()
						b.StartTimer()
						f.pty.WriteString(c.key)
						f.waitFor(b, func(s string) bool { return len(s) > n })
						took = append(took, time.Since(begin))
						time.Sleep(30 * time.Millisecond) // a person types no faster
					}
				}
				report(b, took)
				f.stop()
			})
		}
	}
}

// report gives the median and the worst, in milliseconds, in the place of a mean.
func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(took[len(took)/2])/1e6, "ms")
	b.ReportMetric(float64(took[len(took)-1])/1e6, "ms-worst")
}
