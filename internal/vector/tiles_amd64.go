package vector

func tilesFloat64() *Tiles { return tilesOf(&tiles512F64, &tiles256F64) }

func tilesFloat32() *Tiles { return tilesOf(&tiles512F32, &tiles256F32) }

func tilesOf(wide, narrow *Tiles) *Tiles {
	switch {
	case hasAVX512:
		return wide
	case hasAVX2:
		return narrow
	}
	return nil
}
