package arrays

import (
	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// Matrix products of floats go in tiles where the processor has vectors. What a tile reads is packed beforehand, so that it lies in
// the order of the reading: of y tileDepth rows at a time, of x in pieces of pieceRows rows, which processors share. Every
// element adds its products in ascending order, as in matMul, so that both give the same bits.
const (
	tileDepth = 256
	pieceRows = 64
	leastWork = 20 * 20 * 20 // products below which packing costs more than it gains
)

var (
	tile64 = vector.TileFloat64()
	tile32 = vector.TileFloat32()
)

func matMulFloat64(dst, x, y []byte, k, m int) {
	if a := elements[float64](x); tile64 != nil && len(a)*m >= leastWork {
		inTiles(elements[float64](dst), a, elements[float64](y), k, m, 8, tile64)
		return
	}
	matMulOf[float64](dst, x, y, k, m)
}

func matMulFloat32(dst, x, y []byte, k, m int) {
	if a := elements[float32](x); tile32 != nil && len(a)*m >= leastWork {
		inTiles(elements[float32](dst), a, elements[float32](y), k, m, 16, tile32)
		return
	}
	matMulOf[float32](dst, x, y, k, m)
}

// inTiles adds x*y to dst, which has m columns; columns is the width of a tile.
func inTiles[T float](dst, x, y []T, k, m, columns int, tile func(k int, a, b, c *T, stride int)) {
	n := len(dst) / m
	panels := (m + columns - 1) / columns
	right := make([]T, panels*columns*min(k, tileDepth))
	for p0 := 0; p0 < k; p0 += tileDepth {
		depth := min(tileDepth, k-p0)
		size := columns * depth // of a panel of y
		workers.Do(panels, func(j int) {
			panel := right[j*size : (j+1)*size]
			j0 := j * columns
			width := min(columns, m-j0)
			for p := range depth {
				to := panel[p*columns : (p+1)*columns]
				clear(to[copy(to[:width], y[(p0+p)*m+j0:]):])
			}
		}, poll)
		workers.Do((n+pieceRows-1)/pieceRows, func(piece int) {
			i0 := piece * pieceRows
			rows := min(pieceRows, n-i0)
			left := make([]T, (rows+vector.TileRows-1)/vector.TileRows*vector.TileRows*depth)
			for i := range rows {
				to := left[i/vector.TileRows*vector.TileRows*depth+i%vector.TileRows:]
				for p, v := range x[(i0+i)*k+p0 : (i0+i)*k+p0+depth] {
					to[p*vector.TileRows] = v
				}
			}
			var edge [vector.TileRows * 16]T
			for j := range panels {
				j0 := j * columns
				width := min(columns, m-j0)
				panel := &right[j*size]
				for i := 0; i < rows; i += vector.TileRows {
					a := &left[i*depth]
					height := min(vector.TileRows, rows-i)
					if height == vector.TileRows && width == columns {
						tile(depth, a, panel, &dst[(i0+i)*m+j0], m)
						continue
					}
					clear(edge[:])
					for r := range height {
						copy(edge[r*columns:r*columns+width], dst[(i0+i+r)*m+j0:])
					}
					tile(depth, a, panel, &edge[0], columns)
					for r := range height {
						copy(dst[(i0+i+r)*m+j0:(i0+i+r)*m+j0+width], edge[r*columns:])
					}
				}
			}
		}, poll)
	}
}
