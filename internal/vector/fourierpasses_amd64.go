package vector

//go:noescape
func fours2(m, n int, to, from, w *complex128)

//go:noescape
func fours512(m, n int, to, from, w *complex128)

//go:noescape
func firstFours2(m int, to, from, w *complex128)

//go:noescape
func firstFours512(m int, to, from, w *complex128)

//go:noescape
func twos2(m, n int, to, from, w *complex128)

//go:noescape
func twos512(m, n int, to, from, w *complex128)

func passes() *Passes {
	switch {
	case hasAVX512:
		return &Passes{4, fours512, firstFours512, twos512}
	case hasAVX2:
		return &Passes{2, fours2, firstFours2, twos2}
	}
	return nil
}
