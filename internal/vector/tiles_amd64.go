package vector

func tilesFloat64() *Tiles { return best(&tiles512F64, &tiles256F64) }

func tilesFloat32() *Tiles { return best(&tiles512F32, &tiles256F32) }

func dotFloat64() Dot[float64] { return best(Dot[float64](dot512F64), dot256F64) }

func dotFloat32() Dot[float32] { return best(Dot[float32](dot512F32), dot256F32) }

func linesFloat64() func(*Lines) { return best(lines512F64, nil) }

func linesFloat32() func(*Lines) { return best(lines512F32, nil) }

// best is what the processor can run, of loops for AVX-512 and for AVX2.
func best[T any](wide, narrow T) T {
	switch {
	case hasAVX512:
		return wide
	case hasAVX2:
		return narrow
	}
	return *new(T)
}
