package functions

import "github.com/arrayrepl/arrayrepl/gpu"

// Ints converts x to each integer type; what they hold is written as int64s and uint64s beside each other.
func Ints(signed []int64, unsigned []uint64, x []float64) {
	i, n := gpu.GlobalX(), gpu.GlobalSize()
	v := x[i]
	signed[i], signed[i+n], signed[i+2*n], signed[i+3*n] = int64(int8(v)), int64(int16(v)), int64(int32(v)), int64(v)
	unsigned[i], unsigned[i+n], unsigned[i+2*n], unsigned[i+3*n] = uint64(uint8(v)), uint64(uint16(v)), uint64(uint32(v)), uint64(v)
}

// Ints32 is Ints of float32.
func Ints32(signed []int64, unsigned []uint64, x []float32) {
	i, n := gpu.GlobalX(), gpu.GlobalSize()
	v := x[i]
	signed[i], signed[i+n], signed[i+2*n], signed[i+3*n] = int64(int8(v)), int64(int16(v)), int64(int32(v)), int64(v)
	unsigned[i], unsigned[i+n], unsigned[i+2*n], unsigned[i+3*n] = uint64(uint8(v)), uint64(uint16(v)), uint64(uint32(v)), uint64(v)
}

// Scale has a parameter of float32.
func Scale(x []float32, by float32) { x[gpu.GlobalX()] *= by }

// ToInt32 is for np.Map.
func ToInt32(x float64) int32 { return int32(x) }
