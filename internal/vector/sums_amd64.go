package vector

import "golang.org/x/sys/cpu"

//go:noescape
func sumF64(n int, x *float64) float64

//go:noescape
func sumF32(n int, x *float32) float64

var (
	hasAVX2   = !portable && cpu.X86.HasAVX2 && cpu.X86.HasFMA
	hasAVX512 = hasAVX2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512BW
)

func sumFloat64(x []float64) (float64, bool) {
	if !hasAVX2 {
		return 0, false
	}
	if len(x) == 0 {
		return 0, true
	}
	return sumF64(len(x), &x[0]), true
}

func sumFloat32(x []float32) (float64, bool) {
	if !hasAVX2 {
		return 0, false
	}
	if len(x) == 0 {
		return 0, true
	}
	return sumF32(len(x), &x[0]), true
}
