package vector

//go:noescape
func tileF64(k int, a, b, c *float64, stride int)

//go:noescape
func tileF32(k int, a, b, c *float32, stride int)

func tileFloat64() func(k int, a, b, c *float64, stride int) {
	if !hasAVX2 {
		return nil
	}
	return func(k int, a, b, c *float64, stride int) { tileF64(k, a, b, c, 8*stride) }
}

func tileFloat32() func(k int, a, b, c *float32, stride int) {
	if !hasAVX2 {
		return nil
	}
	return func(k int, a, b, c *float32, stride int) { tileF32(k, a, b, c, 4*stride) }
}
