package arrays

import (
	"image"
	"image/color"
)

// FromImage returns the pixels of a picture, row by row from the top: shape (height, width) where it is grey, (height,
// width, 3) for red, green and blue, (height, width, 4) with opacity where some of it is not opaque, colours not
// multiplied by it. Elements are uint8, uint16 where the picture has 16 bits.
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
		return pixels(b, Uint16, channels, pixels16(m))
	}
	return pixels(b, Uint8, channels, pixels8(m))
}

// pixels makes an array of what of says of each pixel: red, green, blue and opacity.
func pixels[T element](b image.Rectangle, dtype DType, channels int, of func(x, y int) [4]T) *Array {
	a := newUnset(dtype, []int{b.Dy(), b.Dx(), channels})
	v := elements[T](a.data)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		poll()
		for x := b.Min.X; x < b.Max.X; x++ {
			p := of(x, y)
			v = v[copy(v, p[:channels]):]
		}
	}
	return a
}

// pixels8 returns the colours of m as [color.NRGBAModel] converts them, without memory for each: a picture has many
// million.
func pixels8(m image.Image) func(x, y int) [4]uint8 {
	plain := func(c color.Color) [4]uint8 {
		p := color.NRGBAModel.Convert(c).(color.NRGBA)
		return [4]uint8{p.R, p.G, p.B, p.A}
	}
	switch m := m.(type) {
	case *image.NRGBA:
		return func(x, y int) [4]uint8 { return [4]uint8(m.Pix[m.PixOffset(x, y):]) }
	case *image.Paletted:
		colors := make([][4]uint8, 256) // a damaged file may name one that is not there
		for i := range colors {
			if i < len(m.Palette) {
				colors[i] = plain(m.Palette[i])
			}
		}
		return func(x, y int) [4]uint8 { return colors[m.ColorIndexAt(x, y)] }
	case image.RGBA64Image:
		return func(x, y int) [4]uint8 {
			p := straight(m.RGBA64At(x, y))
			return [4]uint8{uint8(p[0] >> 8), uint8(p[1] >> 8), uint8(p[2] >> 8), uint8(p[3] >> 8)}
		}
	}
	return func(x, y int) [4]uint8 { return plain(m.At(x, y)) }
}

// pixels16 is pixels8 for 16 bits.
func pixels16(m image.Image) func(x, y int) [4]uint16 {
	switch m := m.(type) {
	case *image.NRGBA64:
		return func(x, y int) [4]uint16 {
			c := m.NRGBA64At(x, y)
			return [4]uint16{c.R, c.G, c.B, c.A}
		}
	case image.RGBA64Image:
		return func(x, y int) [4]uint16 { return straight(m.RGBA64At(x, y)) }
	}
	return func(x, y int) [4]uint16 {
		p := color.NRGBA64Model.Convert(m.At(x, y)).(color.NRGBA64)
		return [4]uint16{p.R, p.G, p.B, p.A}
	}
}

// straight is a colour that is not multiplied by its opacity, as [color.NRGBA64Model] has it.
func straight(c color.RGBA64) [4]uint16 {
	switch a := uint32(c.A); a {
	case 0xffff:
		return [4]uint16{c.R, c.G, c.B, c.A}
	case 0:
		return [4]uint16{}
	default:
		return [4]uint16{uint16(uint32(c.R) * 0xffff / a), uint16(uint32(c.G) * 0xffff / a), uint16(uint32(c.B) * 0xffff / a), c.A}
	}
}
