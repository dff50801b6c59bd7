//go:build !nocuda && (linux || darwin || freebsd)

package compiler

import (
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

// BenchmarkProcess compiles a small source in turn in the process of its own and in this one, and reports the quotient
// of the times, and what the first source costs that has to start the process.
func BenchmarkProcess(b *testing.B) {
	l, err := loadFrom(paths())
	if err != nil {
		judges.Missing(b, "%v", err)
	}
	r := request{"k.cu", "extern \"C\" __global__ void k(int *x) { x[threadIdx.x] = 1; }\n", []string{"--gpu-architecture=compute_75"}}
	l.compile(r)
	if _, err := version(); err != nil {
		b.Fatal(err)
	}
	var here, there, cold time.Duration
	for b.Loop() {
		begun := time.Now()
		l.compile(r)
		here += time.Since(begun)
		begun = time.Now()
		if _, _, err := Compile(r.Name, r.Source, r.Flags, nil); err != nil {
			b.Fatal(err)
		}
		there += time.Since(begun)
		begun = time.Now()
		p, err := start()
		if err != nil {
			b.Fatal(err)
		}
		cold += time.Since(begun)
		p.end()
	}
	b.ReportMetric(there.Seconds()/here.Seconds(), "process/here")
	b.ReportMetric((there-here).Seconds()*1e3/float64(b.N), "ms-more")
	b.ReportMetric(cold.Seconds()*1e3/float64(b.N), "ms-start")
}
