package vector

//go:generate go run -C asm . -part fourier -out ../fourier_amd64.s

// Passes are steps of fast Fourier transforms, of complex numbers that follow each other. Sums and products are rounded
// as those of package fourier, which says what each does.
type Passes struct {
	Numbers    int // n, and m of FirstFours, are multiples of this
	Fours      func(m, n int, to, from, w *complex128)
	FirstFours func(m int, to, from, w *complex128)
	Twos       func(m, n int, to, from, w *complex128)
}

// Fourier returns the passes for this processor, or nil.
func Fourier() *Passes { return passes() }
