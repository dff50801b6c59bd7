package symbols_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

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

// transcript runs a file's sessions, and on the second engine too, where a short test has a third of them, each turn
// another.
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
			if i > 0 && !testsize.Part(k, 3) {
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
