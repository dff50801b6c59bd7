package arrays

import (
	"bufio"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // a format that is read
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/replace"
)

// LoadImage reads a PNG, JPEG or GIF file (its first picture), as [FromImage] makes arrays of pictures.
func LoadImage(path string) (*Array, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, openError("loadimage", path, err)
	}
	defer f.Close()
	a, err := ReadImage(f)
	if err != nil {
		return nil, &Error{Op: "loadimage", Msg: fmt.Sprintf("%s: %v", path, err), Err: err}
	}
	return a, nil
}

// ReadImage is [LoadImage] of what r has.
func ReadImage(r io.Reader) (*Array, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	head, _ := in.Peek(64 << 10) // the size stands there but in JPEG files with long remarks
	if c, _, err := image.DecodeConfig(strings.NewReader(string(head))); err == nil {
		mayAllocate(8 * c.Width * c.Height) // the decoder does not ask
	}
	m, _, err := image.Decode(in)
	if err != nil {
		return nil, fmt.Errorf("this is no PNG, JPEG or GIF picture: %w", err)
	}
	return FromImage(m), nil
}

// FromImage returns the pixels of a picture, row by row from the top: shape (height, width) where it is grey, (height, width, 3) for red,
// green and blue, (height, width, 4) with opacity where some of it is not opaque, colours not multiplied by it. Elements are
// uint8, uint16 where the picture has 16 bits.
func FromImage(m image.Image) *Array {
	b := m.Bounds()
	h, w := b.Dy(), b.Dx()
	switch m := m.(type) {
	case *image.Gray:
		a := newUnset(Uint8, []int{h, w})
		for y := range h {
			copy(a.data[y*w:(y+1)*w], m.Pix[m.PixOffset(b.Min.X, b.Min.Y+y):])
		}
		return a
	case *image.Gray16:
		a := newUnset(Uint16, []int{h, w})
		v := elements[uint16](a.data)
		for y := range h {
			for x := range w {
				v[y*w+x] = m.Gray16At(b.Min.X+x, b.Min.Y+y).Y
			}
		}
		return a
	}
	channels := 4
	if o, ok := m.(interface{ Opaque() bool }); ok && o.Opaque() {
		channels = 3
	}
	switch m.ColorModel() {
	case color.RGBA64Model, color.NRGBA64Model:
		return pixels(m, Uint16, channels, func(c color.Color) [4]uint16 {
			p := color.NRGBA64Model.Convert(c).(color.NRGBA64)
			return [4]uint16{p.R, p.G, p.B, p.A}
		})
	}
	return pixels(m, Uint8, channels, func(c color.Color) [4]uint8 {
		p := color.NRGBAModel.Convert(c).(color.NRGBA)
		return [4]uint8{p.R, p.G, p.B, p.A}
	})
}

func pixels[T element](m image.Image, dtype DType, channels int, of func(color.Color) [4]T) *Array {
	b := m.Bounds()
	a := newUnset(dtype, []int{b.Dy(), b.Dx(), channels})
	v := elements[T](a.data)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		poll()
		for x := b.Min.X; x < b.Max.X; x++ {
			p := of(m.At(x, y))
			v = v[copy(v, p[:channels]):]
		}
	}
	return a
}

// ToImage returns the picture of x, an array or slice of shape (height, width) for grey, (height, width, 3) or (height, width, 4) as
// [FromImage] makes them: of uint8 or uint16, of other ints from 0 to 255, of floats from 0 to 1 and of bools, black and white.
func ToImage(x any) (image.Image, error) {
	a, _, err := AsArray(x)
	if err != nil {
		return nil, withOp("image", err)
	}
	bad := func(format string, args ...any) (image.Image, error) {
		return nil, &Error{Op: "image", Shapes: [][]int{a.layout.Shape}, Msg: fmt.Sprintf(format, args...)}
	}
	shape := a.layout.Shape
	channels := 1
	switch {
	case len(shape) == 3 && (shape[2] == 3 || shape[2] == 4):
		channels = shape[2]
	case len(shape) != 2:
		return bad("shape %s is no picture; (height,width) is a grey one, (height,width,3) and (height,width,4) are coloured ones", shapeString(shape))
	}
	if a.Size() == 0 {
		return bad("a picture of shape %s has no pixels", shapeString(shape))
	}
	switch dtype := a.DType(); {
	case dtype == Uint8 || dtype == Uint16:
	case dtype.IsBool():
		a = a.AsType(Uint8).Mul(255)
	case dtype.IsInt():
		if lo, hi := a.Min(), a.Max(); Less(lo, 0).Bool() || Greater(hi, 255).Bool() {
			return bad("elements go from %v to %v; ints of a picture go from 0 to 255", lo, hi)
		}
		a = a.AsType(Uint8)
	case dtype.IsFloat():
		if lo, hi := a.Min(), a.Max(); !(lo.Float64() >= 0 && hi.Float64() <= 1) {
			return bad("elements go from %v to %v; floats of a picture go from 0 to 1, so divide by the largest or use Clip", lo, hi)
		}
		a = a.AsType(Float64).Mul(255).Rint().AsType(Uint8)
	default:
		return bad("an array of %v is no picture; uint8, uint16, floats from 0 to 1 and bools are", dtype)
	}
	size := image.Rect(0, 0, shape[1], shape[0])
	if a.DType() == Uint16 {
		v := elements[uint16](a.Copy().data)
		var pix []byte
		for i, c := range v {
			pix = append(pix, byte(c>>8), byte(c))
			if channels == 3 && i%3 == 2 {
				pix = append(pix, 0xff, 0xff) // opaque
			}
		}
		if channels == 1 {
			return &image.Gray16{Pix: pix, Stride: 2 * shape[1], Rect: size}, nil
		}
		return &image.NRGBA64{Pix: pix, Stride: 8 * shape[1], Rect: size}, nil
	}
	v := slices.Clone(a.Bytes())
	switch channels {
	case 1:
		return &image.Gray{Pix: v, Stride: shape[1], Rect: size}, nil
	case 4:
		return &image.NRGBA{Pix: v, Stride: 4 * shape[1], Rect: size}, nil
	}
	pix := make([]byte, 0, len(v)/3*4)
	for p := range slices.Chunk(v, 3) {
		pix = append(pix, p[0], p[1], p[2], 255)
	}
	return &image.NRGBA{Pix: pix, Stride: 4 * shape[1], Rect: size}, nil
}

// SaveImage writes x, what [ToImage] takes, to a file whose name ends in .png, or in .jpg or .jpeg, which loses a little and all
// opacity. The file that was there before stays as it is when writing fails.
func SaveImage(path string, x any) error {
	m, err := ToImage(x)
	if err != nil {
		return err
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".png":
		return replace.File(path, false, func(w io.Writer) error { return png.Encode(w, m) })
	case ".jpg", ".jpeg":
		return replace.File(path, false, func(w io.Writer) error { return jpeg.Encode(w, m, &jpeg.Options{Quality: 90}) })
	}
	return &Error{Op: "image", Msg: fmt.Sprintf("%s: pictures are written to .png, .jpg and .jpeg", path)}
}
