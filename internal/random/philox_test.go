package random

import "testing"

// TestPhilox: the function is that of the paper's known answers (random123's kat_vectors: philox4x64 10), the stream
// NumPy's.
func TestPhilox(t *testing.T) {
	ones := ^uint64(0)
	for _, c := range []struct {
		counter [4]uint64
		key     [2]uint64
		want    [4]uint64
	}{
		{want: [4]uint64{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}},
		{[4]uint64{ones, ones, ones, ones}, [2]uint64{ones, ones}, [4]uint64{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}},
	} {
		if got := rounds(c.counter, c.key); got != c.want {
			t.Errorf("counter %x gives %x, want %x", c.counter, got, c.want)
		}
	}
}
