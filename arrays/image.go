package arrays

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/pictures"
	"github.com/arrayrepl/arrayrepl/internal/reading"
	"github.com/arrayrepl/arrayrepl/internal/replace"
)

// LoadImage reads a PNG, JPEG or GIF file (its first picture), as [FromImage] makes arrays of pictures. A picture for
// which there is no memory is an error, and so is one of more than 256 MB that is much larger than its file: see
// [SetUnpackTimes]. A program that uses this package alone imports package arrays/images for it.
func LoadImage(path string) (a *Array, err error) {
	defer reading.Guard[*Error](&err, readerError("loadimage", path))
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readImage(f)
}

// ReadImage is [LoadImage] of what r has, up to its end.
func ReadImage(r io.Reader) (a *Array, err error) {
	defer reading.Guard[*Error](&err, readerError("readimage", ""))
	return readImage(r)
}

func readImage(r io.Reader) (*Array, error) {
	file, err := budget.ReadAll(polledReader{r}, "the file", 0)
	if err != nil {
		return nil, err
	}
	c, format, err := image.DecodeConfig(bytes.NewReader(file))
	if errors.Is(err, image.ErrFormat) && pictures.ByEnding(".png") == nil {
		return nil, noFormats()
	} else if errors.Is(err, image.ErrFormat) {
		return nil, fmt.Errorf("this is not a PNG, JPEG or GIF picture: %w", err)
	} else if err != nil {
		return nil, damagedPicture(format, err)
	}
	if err := pictureFits(c, format, len(file)); err != nil {
		return nil, err
	}
	m, err := decodeImage(file)
	if err != nil {
		return nil, damagedPicture(format, err)
	}
	return FromImage(m), nil
}

// noFormats is the error of a program that has imported no formats.
func noFormats() error {
	return &Error{Msg: `pictures are read and written by programs that import _ "github.com/arrayrepl/arrayrepl/arrays/images", and this one does not`}
}

func decodeImage(file []byte) (m image.Image, err error) {
	defer reading.Decoder[*Error](&err)
	m, _, err = image.Decode(polledReader{bytes.NewReader(file)})
	return m, err
}

func damagedPicture(format string, err error) error {
	return &Error{Msg: fmt.Sprintf("the %s picture is damaged: %s", strings.ToUpper(format), brief.Reason(err)), Err: err}
}

// deflateTimes is how many times its own size what deflate packs may have: a match of 258 bytes takes 2 bits.
const deflateTimes = 1032

// pictureFits returns an error when a picture is too large to be decoded from a file of so many bytes and made an
// array: the decoders take what the header says.
func pictureFits(c image.Config, format string, file int) error {
	if c.Width <= 0 || c.Height <= 0 {
		return fmt.Errorf("the picture is of %d by %d pixels", c.Width, c.Height)
	}
	decoded, channels := 4, 4 // bytes that the decoder takes for a pixel, and elements of ours
	bits := 24                // of a pixel in the file at least
	switch c.ColorModel {
	case color.GrayModel:
		decoded, channels, bits = 1, 1, 1
	case color.Gray16Model:
		decoded, channels, bits = 2, 2, 16
	case color.RGBA64Model, color.NRGBA64Model:
		decoded, channels, bits = 8, 8, 48
	case color.YCbCrModel:
		decoded, channels = 3, 3
	default:
		if _, ok := c.ColorModel.(color.Palette); ok {
			decoded, bits = 1, 1
		}
	}
	if err := budget.Unpacks("the picture", int64(file), budget.Product(decoded, c.Width, c.Height)); err != nil {
		return err
	}
	if format == "png" && budget.Product(bits, c.Width, c.Height)/8 > deflateTimes*int64(file) {
		return fmt.Errorf("the PNG picture is damaged: it says that it has %d by %d pixels, which cannot be packed in %s", c.Width, c.Height, budget.Bytes(int64(file)))
	}
	if format == "jpeg" {
		decoded *= 5 // a progressive one keeps coefficients of 4 bytes
	}
	return budget.For(fmt.Sprintf("the picture of %d by %d pixels", c.Width, c.Height), budget.Product(decoded+channels, c.Width, c.Height))
}

// ToImage returns the picture of x, an array or slice of shape (height, width) for grey, (height, width, 3) or (height,
// width, 4) as [FromImage] makes them: of uint8 or uint16, of other ints from 0 to 255, of floats from 0 to 1 and of
// bools, black and white.
func ToImage(x ArrayLike) (image.Image, error) {
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
		return bad("shape %s is not a picture; (height,width) is a grey one, (height,width,3) and (height,width,4) are coloured ones", shapeString(shape))
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
		return bad("an array of %v is not a picture; uint8, uint16, floats from 0 to 1 and bools are", dtype)
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

// SaveImage writes x, what [ToImage] takes, to a file whose name ends in .png, or in .jpg or .jpeg, which loses a
// little and all opacity. The file that was there before stays as it is when writing fails. A program that uses this
// package alone imports package arrays/images for it.
func SaveImage(path string, x ArrayLike) error {
	m, err := ToImage(x)
	if err != nil {
		return err
	}
	ending := strings.ToLower(filepath.Ext(path))
	if encode := pictures.ByEnding(ending); encode != nil {
		return replace.File(path, false, func(w io.Writer) error {
			return packed(w, func(w io.Writer) error { return encode(w, m) })
		})
	}
	if pictures.ByEnding(".png") == nil {
		return withOp("image", noFormats())
	}
	return &Error{Op: "image", Msg: fmt.Sprintf("%s: pictures are written to .png, .jpg and .jpeg", path)}
}
