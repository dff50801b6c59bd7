package emulate

import "github.com/arrayrepl/arrayrepl/internal/fma"

// FMA32 returns x*y + z rounded once, which package math has for float64 only.
func FMA32(x, y, z float32) float32 { return fma.Float32(x, y, z) }
