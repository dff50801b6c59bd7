package cpu

import "unsafe"

// The loops below hold one operation each, so that the compiler sees it: a call for each element would cost more than
// the operation. Go may fuse x*y+z only inside an expression's reach; here every result goes through memory.

func vAdd[T number](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[T](b, n), lanes[T](d, n)
	for i := range z {
		z[i] = x[i] + y[i]
	}
}

func vSub[T number](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[T](b, n), lanes[T](d, n)
	for i := range z {
		z[i] = x[i] - y[i]
	}
}

func vMul[T number](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[T](b, n), lanes[T](d, n)
	for i := range z {
		z[i] = x[i] * y[i]
	}
}

func vQuo[T float](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[T](b, n), lanes[T](d, n)
	for i := range z {
		z[i] = x[i] / y[i]
	}
}

func vDiv[T integer](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[T](b, n), lanes[T](d, n)
	for i := range z {
		z[i] = 0
		if y[i] != 0 {
			z[i] = x[i] / y[i]
		}
	}
}

func vRem[T integer](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[T](b, n), lanes[T](d, n)
	for i := range z {
		z[i] = 0
		if y[i] != 0 {
			z[i] = x[i] % y[i]
		}
	}
}

func vMin[T number](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[T](b, n), lanes[T](d, n)
	for i := range z {
		z[i] = min(x[i], y[i])
	}
}

func vMax[T number](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[T](b, n), lanes[T](d, n)
	for i := range z {
		z[i] = max(x[i], y[i])
	}
}

func vNeg[T number](n int, d, a, _, _ unsafe.Pointer) {
	x, z := lanes[T](a, n), lanes[T](d, n)
	for i := range z {
		z[i] = -x[i]
	}
}

func vAnd[T integer](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[T](b, n), lanes[T](d, n)
	for i := range z {
		z[i] = x[i] & y[i]
	}
}

func vOr[T integer](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[T](b, n), lanes[T](d, n)
	for i := range z {
		z[i] = x[i] | y[i]
	}
}

func vXor[T integer](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[T](b, n), lanes[T](d, n)
	for i := range z {
		z[i] = x[i] ^ y[i]
	}
}

func vNot[T integer](n int, d, a, _, _ unsafe.Pointer) {
	x, z := lanes[T](a, n), lanes[T](d, n)
	for i := range z {
		z[i] = ^x[i]
	}
}

func vShl[T integer](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[uint32](b, n), lanes[T](d, n)
	for i := range z {
		z[i] = x[i] << y[i]
	}
}

func vShr[T integer](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[uint32](b, n), lanes[T](d, n)
	for i := range z {
		z[i] = x[i] >> y[i]
	}
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

func vEq[T number](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[T](b, n), lanes[uint8](d, n)
	for i := range z {
		z[i] = bit(x[i] == y[i])
	}
}

func vNe[T number](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[T](b, n), lanes[uint8](d, n)
	for i := range z {
		z[i] = bit(x[i] != y[i])
	}
}

func vLt[T number](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[T](b, n), lanes[uint8](d, n)
	for i := range z {
		z[i] = bit(x[i] < y[i])
	}
}

func vLe[T number](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[T](b, n), lanes[uint8](d, n)
	for i := range z {
		z[i] = bit(x[i] <= y[i])
	}
}

func vGt[T number](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[T](b, n), lanes[uint8](d, n)
	for i := range z {
		z[i] = bit(x[i] > y[i])
	}
}

func vGe[T number](n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[T](a, n), lanes[T](b, n), lanes[uint8](d, n)
	for i := range z {
		z[i] = bit(x[i] >= y[i])
	}
}

func vSelect[T any](n int, d, a, b, c unsafe.Pointer) {
	p, x, y, z := lanes[uint8](a, n), lanes[T](b, n), lanes[T](c, n), lanes[T](d, n)
	for i := range z {
		v := y[i]
		if p[i] != 0 {
			v = x[i]
		}
		z[i] = v
	}
}
