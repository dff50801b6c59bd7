package arrays

// putLoop writes a block of values to every stride-th element from at on.
type putLoop = func(dst, src []byte, at, stride int)

// putLoopOf returns the loop that assigns elements of dtype d.
func putLoopOf(d DType) putLoop {
	if d == StringDType {
		return put[string]
	}
	size := d.Size()
	switch size {
	case 1:
		return put[uint8]
	case 2:
		return put[uint16]
	case 4:
		return put[uint32]
	case 8:
		return put[uint64]
	case 16:
		return put[[2]uint64]
	}
	return func(dst, src []byte, at, stride int) {
		for ; len(src) > 0; src = src[size:] {
			copy(dst[at*size:(at+1)*size], src)
			at += stride
		}
	}
}

func put[T any](dst, src []byte, at, stride int) {
	d, s := sliceOf[T](dst), sliceOf[T](src)
	if stride == 1 {
		copy(d[at:], s)
		return
	}
	for _, v := range s {
		d[at] = v
		at += stride
	}
}

// addLoops add to elements instead, for dtypes of numbers.
var addLoops = [numDTypes]putLoop{
	Bool: putOr,
	Int8: putSum[int8], Int16: putSum[int16], Int32: putSum[int32], Int64: putSum[int64],
	Uint8: putSum[uint8], Uint16: putSum[uint16], Uint32: putSum[uint32], Uint64: putSum[uint64],
	Float16: putHalf, Float32: putSum[float32], Float64: putSum[float64],
	Complex64: putSum[complex64], Complex128: putSum[complex128],
}

// addLoopOf returns the loop that adds elements of dtype d.
func addLoopOf(d DType) (putLoop, error) {
	switch {
	case d.IsNumber():
		return addLoops[d], nil
	case d.isSpan():
		return putSpan, nil
	}
	return nil, &Error{Msg: d.String() + " has no sum; assign with Set"}
}

// Addable reports, as an error, that [Array.AddAt] does not add elements of dtype d.
func (Rules) Addable(d DType) error {
	_, err := addLoopOf(d)
	return err
}

func putSum[T number](dst, src []byte, at, stride int) {
	d := elements[T](dst)
	for _, v := range elements[T](src) {
		d[at] += v
		at += stride
	}
}

func putOr(dst, src []byte, at, stride int) {
	for _, v := range src {
		dst[at] |= v
		at += stride
	}
}

func putHalf(dst, src []byte, at, stride int) {
	d := elements[half](dst)
	for _, v := range elements[half](src) {
		d[at] = halfOf(float64(d[at].float()) + float64(v.float()))
		at += stride
	}
}

func putSpan(dst, src []byte, at, stride int) {
	d := elements[int64](dst)
	for _, v := range elements[int64](src) {
		if d[at] == notATime || v == notATime {
			d[at] = notATime
		} else {
			d[at] += v
		}
		at += stride
	}
}
