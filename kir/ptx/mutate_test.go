package ptx

import (
	"math/rand/v2"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
)

// TestDamagedTexts changes characters and words of texts that can be read: none makes the reader panic, and what it
// still reads is a well-formed kernel.
func TestDamagedTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4+uint64(testsize.Turn())))
	for range testsize.Of("kir/ptx.TestDamagedTexts") {
		c := formCases[r.IntN(len(formCases))]
		other := formCases[r.IntN(len(formCases))]
		b := []byte(header + formKernel("k", c.form+"\n\t"+other.form, store[c.class]))
		for range 1 + r.IntN(4) {
			i, j := r.IntN(len(b)), r.IntN(len(b))
			switch r.IntN(4) {
			case 0:
				b[i] = byte(32 + r.IntN(96))
			case 1:
				b = append(b[:i], b[i+1:]...)
			case 2:
				b[i] = b[j]
			default: // a word from elsewhere
				n := min(r.IntN(12), len(b)-i, len(b)-j)
				copy(b[i:i+n], append([]byte(nil), b[j:j+n]...))
			}
		}
		fs := func() []*kir.Func {
			defer func() {
				if e := recover(); e != nil {
					t.Fatalf("%v\n%s", e, b)
				}
			}()
			fs, _ := parse(string(b))
			return fs
		}()
		for _, f := range fs {
			if err := kir.Verify(f); err != nil {
				t.Fatalf("%v\n%s", err, b)
			}
		}
	}
}
