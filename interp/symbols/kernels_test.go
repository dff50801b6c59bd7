package symbols_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/cudabackend/nvrtc"
	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/kernels"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/interp/yaegi"
)

var update = flag.Bool("update", false, "write what the sessions print into testdata")

// Kernels that cells declare and launch, and what is said of those that cannot be: on both engines the same.
func TestKernels(t *testing.T) { transcript(t, "testdata/kernels.txt") }

// Scans by operators that cells declare, by segments and whole.
func TestScansInCells(t *testing.T) { transcript(t, "testdata/dp.txt") }

// Scans by operators of records. The second engine hands lists of a cell's own structs on in boxes, which np.RecordsOf
// refuses.
func TestRecordsInCells(t *testing.T) { transcriptOn(t, "testdata/records.txt", ixgo.New) }

// Streams of a cell's own structs. The second engine hands such on in boxes, which streams refuse.
func TestStreamsInCells(t *testing.T) { transcriptOn(t, "testdata/brook.txt", ixgo.New) }

// Streams of numbers, on both engines.
func TestStreamsOfNumbers(t *testing.T) { transcript(t, "testdata/brooknumbers.txt") }

// Policies of simulated machines that cells write, with mistakes and without.
func TestPoliciesInCells(t *testing.T) { transcriptOn(t, "testdata/policies.txt", ixgo.New) }

// transcript runs a file's sessions, of which a short test has every other one, and on the second engine too, where it
// has a third of them, each turn others.
func transcript(t *testing.T, file string) {
	transcriptOn(t, file, ixgo.New, func() interp.Engine { return yaegi.New() })
}

func transcriptOn(t *testing.T, file string, engines ...func() interp.Engine) {
	symbols.Register()
	for i, engine := range engines {
		intro, all := judge.Transcripts(t, file)
		var b strings.Builder
		b.WriteString(intro)
		for k, tr := range all {
			if !testsize.Part(k, 2+i) {
				continue
			}
			name := engine().Name() + "/" + tr.Name
			t.Run(name, func(t *testing.T) {
				s, err := interp.New(interp.Options{Engine: engine(), Packages: symbols.Packages(), Arrays: symbols.Arrays(), Functions: kernels.Functions{}})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				for _, c := range tr.Cells {
					if _, _, err := nvrtc.Version(); err != nil && strings.Contains(c.Src, "gpu.CUDA(") {
						judges.Missing(t, "%v", err)
					}
				}
				r := judge.Record(t, s)
				fmt.Fprintf(&b, "## %s\n", tr.Name)
				for n, c := range tr.Cells {
					got := r.Run(n+1, c.Src)
					b.WriteString("> " + strings.ReplaceAll(strings.TrimSuffix(c.Src, "\n"), "\n", "\n> ") + "\n" + got)
					if got == "" {
						b.WriteString("\n")
					}
					if !*update && strings.TrimSpace(got) != strings.TrimSpace(c.Want) {
						t.Errorf("cell %d:\n%s\ngot:\n%s\nwant:\n%s", n+1, c.Src, got, c.Want)
					}
				}
				b.WriteString("\n")
			})
		}
		if *update && i == 0 {
			text := strings.ReplaceAll(b.String(), "> \n", ">\n")
			if err := os.WriteFile(file, []byte(strings.TrimRight(text, "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A policy that blocks, or goes round for ever, ends with its cell when that is interrupted, and the session goes on.
func TestPoliciesThatBlockAreInterrupted(t *testing.T) {
	symbols.Register()
	s, err := interp.New(interp.Options{
		Engine: ixgo.New(), Packages: symbols.Packages(), Arrays: symbols.Arrays(), Functions: kernels.Functions{},
	})
	require.NoError(t, err)
	defer s.Close()
	_, err = s.Run(t.Context(), 1, `
func double(out []int32) { out[gpu.GlobalID()] *= 2 }
rec, kept := gpu.Record(double, 1, 64, make([]int32, 64)), 42
asked := make(chan bool, 9999)`)
	require.NoError(t, err)
	for i, body := range []string{"select {}", "for {\n}", "for asked != nil {\ntime.Sleep(time.Second)\n}\nreturn 0"} {
		if !testsize.Part(i, 3) {
			continue
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		_, err = s.Run(ctx, 2+2*i, strings.ReplaceAll(`
type blocks struct{}
func (blocks) Name() string { return "blocks" }
func (blocks) Pick(int64, []simgpu.Cand, *simgpu.Env) int {
	asked <- true
	BODY
}
gpu.Compare(rec, simgpu.Custom("fermivt", simgpu.WithPicker(blocks{})))`, "BODY", body))
		require.ErrorContains(t, err, interp.Interrupted, body)
		b, err := s.Run(t.Context(), 3+2*i, "fmt.Sprint(len(asked) > 0, kept)")
		require.NoError(t, err, body)
		assert.Contains(t, fmt.Sprint(b), "true 42")
	}
}
