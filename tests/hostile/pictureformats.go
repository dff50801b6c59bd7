package main

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// picture is a small one with many colours.
func picture() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 16, 12))
	for i := range m.Pix {
		m.Pix[i] = byte(37 * i)
	}
	return m
}

func readPicture(in input) (string, error) {
	a, err := arrays.ReadImage(bytes.NewReader(in.data))
	if err != nil {
		return "", err
	}
	return digest(a), nil
}

func loadPicture(path string) (string, error) {
	a, err := arrays.LoadImage(path)
	if err != nil {
		return "", err
	}
	return digest(a), nil
}

const pngMagic = "\x89PNG\r\n\x1a\n"

// pngChunks calls f with the kind and the data of each chunk, as far as there are any.
func pngChunks(data []byte, f func(kind string, body []byte)) {
	for b := data[min(len(data), len(pngMagic)):]; len(b) >= 12; {
		n := int(min(uint64(binary.BigEndian.Uint32(b)), uint64(len(b)-12)))
		f(string(b[4:8]), b[8:8+n])
		b = b[12+n:]
	}
}

func pngChunk(to []byte, kind string, body []byte) []byte {
	b := binary.BigEndian.AppendUint32(to, uint32(len(body)))
	b = append(append(b, kind...), body...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[len(b)-len(body)-4:]))
}

// repairPNG makes the checksums of chunks right.
func repairPNG(data []byte) []byte {
	out := []byte(pngMagic)
	pngChunks(data, func(kind string, body []byte) { out = pngChunk(out, kind, body) })
	return out
}

// pngSized is a PNG that says it has so many pixels, and has as many packed bytes of zeros as content.
func pngSized(w, h uint32, depth, kind byte, content int) []byte {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
	b := pngChunk([]byte(pngMagic), "IHDR", append(head, depth, kind, 0, 0, 0))
	var z bytes.Buffer
	w2 := zlib.NewWriter(&z)
	for range content >> 20 {
		_, err := w2.Write(make([]byte, 1<<20))
		must(err)
	}
	must(w2.Close())
	return pngChunk(pngChunk(b, "IDAT", z.Bytes()), "IEND", nil)
}

func pngFormat() *format {
	encode := func(m image.Image) []byte {
		var b bytes.Buffer
		must(png.Encode(&b, m))
		return b.Bytes()
	}
	return &format{
		name: "png", base: 4 << 20, times: 600, checked: true, repair: repairPNG,
		seeds: func() []input {
			grey := image.NewGray16(image.Rect(0, 0, 9, 7))
			coloured := image.NewPaletted(image.Rect(0, 0, 9, 7), color.Palette{color.Black, color.White, color.NRGBA{1, 2, 3, 4}})
			return []input{{name: "colours", data: encode(picture()), ext: ".png"}, {name: "grey", data: encode(grey), ext: ".png"}, {name: "palette", data: encode(coloured), ext: ".png"}}
		},
		special: func() (all []input) {
			for _, s := range [][2]uint32{{30_000, 30_000}, {1<<31 - 1, 1<<31 - 1}, {1 << 31, 1}, {1<<32 - 1, 1<<32 - 1}, {0, 1}, {1, 0}, {1, 1<<31 - 1}, {65_536, 65_536}} {
				for _, kind := range []byte{0, 2, 3, 6} {
					all = append(all, input{name: fmt.Sprintf("%d by %d pixels of kind %d", s[0], s[1], kind), must: fail, data: pngSized(s[0], s[1], 8, kind, 1<<20)})
				}
			}
			return append(all, input{name: "400 MB of zeros for one pixel", data: pngSized(1, 1, 8, 0, 400<<20)},
				input{name: "a picture of 20 MB in 30 kB", most: 256 << 20, data: pngSized(4000, 5000, 8, 0, 21<<20)})
		},
		read:  readPicture,
		paths: loadPicture,
	}
}

func jpegFormat() *format {
	return &format{
		name: "jpeg", base: 4 << 20, times: 2000,
		seeds: func() []input {
			var b, g bytes.Buffer
			must(jpeg.Encode(&b, picture(), nil))
			must(jpeg.Encode(&g, image.NewGray(image.Rect(0, 0, 20, 20)), nil))
			return []input{{name: "colours", data: b.Bytes(), ext: ".jpg"}, {name: "grey", data: g.Bytes(), ext: ".jpg"}}
		},
		special: func() (all []input) {
			var b bytes.Buffer
			must(jpeg.Encode(&b, picture(), nil))
			for _, kind := range []byte{0xc0, 0xc1, 0xc2} { // baseline, extended, progressive
				data := bytes.Clone(b.Bytes())
				at := bytes.Index(data, []byte{0xff, 0xc0})
				data[at+1] = kind
				binary.BigEndian.PutUint16(data[at+5:], 65_535)
				binary.BigEndian.PutUint16(data[at+7:], 65_535)
				all = append(all, input{name: fmt.Sprintf("65,535 by 65,535 pixels in a frame of kind %#x", kind), must: fail, data: data})
			}
			return all
		},
		read: readPicture,
	}
}

func gifFormat() *format {
	return &format{
		name: "gif", base: 4 << 20, times: 600,
		seeds: func() []input {
			m := image.NewPaletted(image.Rect(0, 0, 9, 7), palette.Plan9)
			var one, two bytes.Buffer
			must(gif.Encode(&one, m, nil))
			must(gif.EncodeAll(&two, &gif.GIF{Image: []*image.Paletted{m, m}, Delay: []int{1, 1}}))
			return []input{{name: "one picture", data: one.Bytes(), ext: ".gif"}, {name: "two pictures", data: two.Bytes(), ext: ".gif"}}
		},
		special: func() []input {
			return []input{
				{name: "65,535 by 65,535 pixels", must: fail, data: []byte("GIF89a\xff\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\xff\xff\xff\xff\x00\x02\x00;")},
				{name: "a frame outside of the picture", must: fail, data: []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\xff\xff\xff\xff\xff\xff\xff\xff\x00\x02\x02D\x01\x00;")},
				{name: "comments without an end", must: fail, data: append([]byte("GIF89a\x01\x00\x01\x00\x00\x00\x00!\xfe"), bytes.Repeat([]byte("\x01a"), 500_000)...)},
			}
		},
		read: readPicture,
	}
}
