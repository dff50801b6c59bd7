package lazy

import (
	"github.com/arrayrepl/arrayrepl/arrays"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
)

// joinedInFile joins arrays along their first axis, one after the other, in a temporary file, where one is in a file,
// or made of one, and more than the budget; nil where it is done otherwise.
func joinedInFile(out arrays.Spec, axis int, xs []*Array) *Array {
	if axis != 0 && axis != -len(out.Shape) || !filesOpened.Load() || out.DType.IsString() || hasTexts(out.DType) {
		return nil
	}
	dir := ""
	for _, x := range xs {
		if dir = x.oversized(); dir != "" {
			break
		}
	}
	if dir == "" {
		return nil
	}
	if len(xs) == 1 {
		return xs[0].AsType(out.DType).Copy()
	}
	size := int64(elementsIn(out.Shape)) * int64(out.DType.Size())
	file, err := disk.Temporary(dir, size)
	check("concat", err)
	defer file.Release()
	at := int64(0)
	for _, x := range xs {
		check("concat", x.AsType(out.DType).writeTo(file, at))
		at += int64(x.Size()) * int64(out.DType.Size())
	}
	node, err := fileNode(file.File(), arrays.NPYFile{DType: out.DType, Shape: out.Shape, Bytes: size})
	check("concat", err)
	return node.whole()
}

// writeTo writes a's elements in C order to a file from a byte on.
func (a *Array) writeTo(file *disk.Source, at int64) error {
	part, err := disk.Range(file.File(), at, int64(a.NBytes()), nil)
	if err != nil {
		return err
	}
	defer part.Release()
	if a.oversized() == "" {
		return part.WriteAt(a.Array().Copy().Bytes(), 0)
	}
	return newNode(kindCast, a.dtype, contiguous([]int{a.Size()}), &ordinary, a.Reshape(-1).view()).streamTo(part)
}
