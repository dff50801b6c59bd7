package arrays

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/budget"
)

// The storage of a StringDType array is a []string, seen as bytes like that of every array. Go's collector knows what
// memory was made as, not as what it is seen, so the texts live as long as the storage. But it must be told of every
// pointer that is written: elements are written as strings, never copied as bytes, which holds for whoever writes to an
// array's storage and for room in which new texts wait. Reading them, from wherever they were copied to, needs no care
// while the array lives.

// textSize is the bytes of an element of StringDType without its text.
const textSize = int(unsafe.Sizeof(""))

// textsOf sees a storage of StringDType as what it is.
func textsOf(b []byte) []string { return sliceOf[string](b) }

// storageOfTexts sees texts as the storage of a StringDType array.
func storageOfTexts(v []string) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*textSize)
}

// newTextStorage returns the storage of n empty texts.
func newTextStorage(n int) []byte {
	mayAllocate(n * textSize)
	made(n * textSize)
	return storageOfTexts(make([]string, n))
}

// newTexts returns an array of empty texts.
func newTexts(shape []int) *Array {
	return &Array{StringDType, Contiguous(shape...), newTextStorage(sizeOf(shape))}
}

// roomFor returns memory for n elements of dtype d, which may hold anything but where it holds texts.
func roomFor(d DType, n int) []byte {
	if d == StringDType {
		return newTextStorage(n)
	}
	return reserve(n * d.Size())
}

// copyElements copies as many elements of dtype d from src to dst as both have.
func copyElements(d DType, dst, src []byte) {
	if d == StringDType {
		copy(textsOf(dst), textsOf(src))
		return
	}
	copy(dst, src)
}

// clearElements makes the elements of a contiguous array zeros, or empty texts.
func clearElements(a *Array) {
	if a.dtype == StringDType {
		clear(textsOf(contents(a)))
		return
	}
	clear(contents(a))
}

// hasBytes says, as an error, that elements of d have no bytes of their own, as those of [StringDType] have not: they
// refer to their texts.
func (d DType) hasBytes() error {
	if d == StringDType {
		return &Error{Msg: "elements of StringDType() refer to texts of different lengths and have no bytes of their own; Strings returns the texts, AsType(Str(n)) gives each the bytes of n characters"}
	}
	return nil
}

// validText is s as characters: what is not UTF-8 becomes U+FFFD, one for each byte, as in an array of [Str].
func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// textsArray returns an array over v, which nobody writes to any more and whose texts are UTF-8.
func textsArray(v []string, shape ...int) *Array {
	if len(shape) == 0 {
		shape = []int{len(v)}
	}
	return &Array{StringDType, Contiguous(shape...), storageOfTexts(v)}
}

// ofTexts returns a StringDType array of one axis over v, which must not be changed any more: it takes no further
// memory where all texts are UTF-8.
func ofTexts(v []string) *Array {
	if at := slices.IndexFunc(v, func(s string) bool { return !utf8.ValidString(s) }); at >= 0 {
		v = slices.Clone(v)
		for i := at; i < len(v); i++ {
			v[i] = validText(v[i])
		}
	}
	return textsArray(v)
}

// textDType is the dtype of n texts that have so many bytes, the longest so many characters: [StringDType] where
// elements as wide as the longest would waste memory, or there is none for them.
func textDType(longest, n int, bytes int64) DType {
	if budget.WideTexts(longest, n, bytes) || budget.For("a column of texts", budget.Product(4, longest, n)) != nil {
		return StringDType
	}
	return Str(max(longest, 1))
}

// textCast is the conversion from or to StringDType.
func textCast(from, to DType) (castFunc, error) {
	switch {
	case from == to:
		return func(dst, src []byte, at, stride int) {
			d, s := textsOf(dst), textsOf(src)
			for i := range d {
				d[i] = s[at]
				at += stride
			}
		}, nil
	case to == StringDType && from.IsString():
		n := from.chars()
		return func(dst, src []byte, at, stride int) {
			d := textsOf(dst)
			for i := range d {
				d[i] = rowString(src, n, at)
				at += stride
			}
		}, nil
	case to == StringDType:
		return func(dst, src []byte, at, stride int) {
			d, one := textsOf(dst), &Array{dtype: from, data: src}
			for i := range d {
				one.layout.Offset = at
				d[i] = one.scalarString()
				at += stride
			}
		}, nil
	case to.IsString():
		n := to.chars()
		return func(dst, src []byte, at, stride int) {
			if n == 0 {
				return
			}
			s := textsOf(src)
			for i := range len(dst) / (4 * n) {
				putRow(dst, n, i, s[at])
				at += stride
			}
		}, nil
	}
	return parsed(func(src []byte, at int) string { return textsOf(src)[at] }, to)
}

// fixedWidth returns a, of StringDType, with elements as wide as the longest, for files and functions that know no
// others. An error says that this would waste memory; rest is what to do instead.
func (a *Array) fixedWidth(rest string) (*Array, error) {
	longest, bytes := 1, int64(0)
	for _, s := range a.Strings() {
		bytes += int64(len(s))
		if len(s) > longest {
			longest = max(longest, utf8.RuneCountInString(s))
		}
		if strings.HasSuffix(s, "\x00") {
			return nil, &Error{Msg: "a text of StringDType() ends in a zero character, which elements of one width cannot have; " + rest}
		}
	}
	if d := textDType(longest, a.Size(), bytes); d != StringDType {
		return a.AsType(d), nil
	}
	return nil, &Error{Msg: fmt.Sprintf("texts of StringDType() are written as wide as the longest, of %d characters: %d of them would take %s; %s",
		longest, a.Size(), budget.Bytes(budget.Product(4, longest, a.Size())), rest)}
}

// textOrder is how texts of StringDType sort: by their bytes, which is by characters.
var textOrder = order{
	sort: func(dst, src []byte, n int) {
		d, s := textsOf(dst), textsOf(src)
		places := make([]int64, n)
		for lo := 0; lo < len(s); lo += n {
			sortedTexts(places, s[lo:lo+n])
			for i, p := range places {
				d[lo+i] = s[lo+int(p)]
			}
		}
	},
	argsort: func(dst []int64, src []byte, n int) {
		s := textsOf(src)
		for lo := 0; lo < len(s); lo += n {
			sortedTexts(dst[lo:lo+n], s[lo:lo+n])
		}
	},
	search: func(dst []int64, list, v []byte, right bool) {
		sorted, wanted := textsOf(list), textsOf(v)
		var work poller
		for i := range dst {
			work.did(costOfSearch)
			at, _ := slices.BinarySearchFunc(sorted, wanted[i], func(x, y string) int {
				if right && x == y {
					return -1
				}
				return strings.Compare(x, y)
			})
			dst[i] = int64(at)
		}
	},
	starts: func(line []byte) []int {
		v := textsOf(line)
		return starts(len(v), func(i int) bool { return v[i-1] != v[i] })
	},
}

// sortedTexts fills places with the indices that sort a line, those of equal texts ascending.
func sortedTexts(places []int64, line []string) {
	for i := range places {
		places[i] = int64(i)
	}
	var work poller
	slices.SortStableFunc(places, func(i, j int64) int {
		work.did(16)
		return strings.Compare(line[i], line[j])
	})
}
