package arrays

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestForgottenText: tables of numbers, whole ones among them, are read without keeping their text; where a later line
// shows that a column is text after all, its cells are what the file says.
func TestForgottenText(t *testing.T) {
	testsize.InTurn(t, 0)
	defer func(n int) { pieceBytes = n }(pieceBytes)
	pieceBytes = 64
	r := rand.New(rand.NewPCG(1, 2))
	cells := []string{"0.50", "1.5", "-2.25", "7", "", "NA", "true", "2024-01-02", "word", "1e3", " 3.5 ", "3.", "-0", "+4", "12345678901234567", "9007199254740993", "1e2", "2e-1", "5 ", "null", "18446744073709551615", "123456789012345678901", "-5", "1_0", "0x1p4"}
	dir := t.TempDir()
	for round := range 1500 {
		var text strings.Builder
		text.WriteString("a,b,c\n")
		odd := r.IntN(40) // the line from which on all sorts of cells come
		for line := range 40 {
			for i := range 3 {
				cell := fmt.Sprintf("%d.%02d", r.IntN(100), r.IntN(100))
				if (round+i)%3 == 0 {
					cell = fmt.Sprint(r.IntN(2000) - 1000)
				}
				if line >= odd && r.IntN(6) == 0 {
					cell = cells[r.IntN(len(cells))]
				}
				text.WriteString(cell)
				text.WriteByte(",,\n"[i])
			}
		}
		path := filepath.Join(dir, fmt.Sprint(round, ".csv"))
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		names, got, err := LoadTable(path)
		if err != nil {
			t.Fatal(err)
		}
		o := gather(nil)
		o.KeepText = true
		_, want, err := loadText(path, o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if g, w := got[i], want[i]; g.DType() != w.DType() || g.String() != w.String() {
				t.Fatalf("round %d, column %s:\n%v %v\nwith all text kept:\n%v %v\nof\n%s", round, names[i], g.DType(), g, w.DType(), w, text.String())
			}
		}
	}
}
