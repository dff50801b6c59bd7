//go:build !portable

package vector

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/fma"
)

// TestTiles: every tile of every size is a chain of fused multiply-adds, and touches nothing beside it.
func TestTiles(t *testing.T) {
	for _, c := range []struct {
		name string
		has  bool
		test func(t *testing.T, tiles *Tiles)
		of   *Tiles
	}{
		{"AVX-512 float64", hasAVX512, testTiles[float64], &tiles512F64}, {"AVX-512 float32", hasAVX512, testTiles[float32], &tiles512F32},
		{"AVX2 float64", hasAVX2, testTiles[float64], &tiles256F64}, {"AVX2 float32", hasAVX2, testTiles[float32], &tiles256F32},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !c.has {
				t.Skip("this processor has none")
			}
			c.test(t, c.of)
		})
	}
}

func testTiles[T float32 | float64](t *testing.T, tiles *Tiles) {
	rng := rand.New(rand.NewPCG(3, 4))
	size := int(unsafe.Sizeof(T(0)))
	const depth = 9
	for rows := 1; rows <= tiles.Rows; rows++ {
		for columns := 1; columns <= tiles.Columns; columns++ {
			row, step := depth+3, 1 // of a, in elements; then as columns
			if columns%2 == 0 {
				row, step = 1, tiles.Rows+1
			}
			a, b := make([]T, tiles.Rows*(depth+3)), make([]T, depth*(tiles.Columns+1)) // b ends with what is read
			for i := range a {
				a[i] = T(rng.NormFloat64())
			}
			for i := range b {
				b[i] = T(rng.NormFloat64())
			}
			down := tiles.Columns + 1
			across := columns + 2
			c := make([]T, tiles.Rows*across)
			for i := range c {
				c[i] = T(i)
			}
			want := append([]T(nil), c...)
			fresh := (rows+columns)%3 == 0
			for i := range rows {
				for j := range columns {
					if fresh {
						want[i*across+j] = 0
					}
					for p := range depth {
						x, y, z := a[i*row+p*step], b[p*down+j], &want[i*across+j]
						if size == 8 {
							*z = T(math.FMA(float64(x), float64(y), float64(*z)))
						} else {
							*z = T(fma.Float32(float32(x), float32(y), float32(*z)))
						}
					}
				}
			}
			tiles.Add(&Product{K: depth, A: unsafe.Pointer(&a[0]), Row: row * size, Step: step * size, B: unsafe.Pointer(&b[0]), Down: down * size,
				C: unsafe.Pointer(&c[0]), Across: across * size, New: fresh}, rows, columns)
			for i := range c {
				if c[i] != want[i] {
					t.Fatalf("%d x %d: element %d, %d is %v, want %v", rows, columns, i/across, i%across, c[i], want[i])
				}
			}
		}
	}
}
