package display

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"reflect"
	"strings"
)

// maxPixels bounds the picture that is encoded for a display: 25 million are more than any screen has, and take a
// second.
const maxPixels = 25 << 20

// pictureFiles tells picture files by how they begin.
var pictureFiles = []struct{ begins, mime, text string }{
	{"\x89PNG\r\n\x1a\n", TypePNG, "<PNG picture, %d bytes>"},
	{"\xff\xd8\xff", TypeJPEG, "<JPEG picture, %d bytes>"},
	{"GIF8", "image/gif", "<GIF picture, %d bytes>"},
	{"%PDF-", TypePDF, "<PDF document, %d bytes>"},
}

// picture returns the bundle of an image.Image or of the bytes of a picture file.
func picture(v any) (b Bundle, ok bool, err error) {
	switch v := v.(type) {
	case image.Rectangle: // it has a picture's methods, and is meant as four numbers
		return Bundle{}, false, nil
	case image.Image:
		b, err = pictureBundle(v)
		return b, err == nil, err
	case []byte:
		if len(v) < 4 {
			return Bundle{}, false, nil
		}
		for _, f := range pictureFiles {
			if bytes.HasPrefix(v, []byte(f.begins)) {
				b = Text(fmt.Sprintf(f.text, len(v)))
				b.Data[f.mime] = v
				return b, true, nil
			}
		}
	}
	return Bundle{}, false, nil
}

// pictureBundle encodes m as PNG. One that has nothing in it, or too much, is text.
func pictureBundle(m image.Image) (Bundle, error) {
	size := m.Bounds().Size()
	what := pictureText(m)
	if size.X <= 0 || size.Y <= 0 {
		return Text("<" + what + ">"), nil
	}
	if size.X > maxPixels/size.Y {
		return Text("<" + what + ": too large to show; scale it down first>"), nil
	}
	var buf bytes.Buffer
	if err := png.Encode(&buf, m); err != nil {
		return Bundle{}, fmt.Errorf("display: a picture of %s: %w", what, err)
	}
	b := Text("<" + what + ">")
	b.Data[TypePNG] = buf.Bytes()
	b.Metadata = MIMEMap{TypePNG: MIMEMap{"width": size.X, "height": size.Y}}
	return b, nil
}

// pictureText says of what type m is, and how large.
func pictureText(m image.Image) string {
	size := m.Bounds().Size()
	return fmt.Sprintf("%s, %d by %d pixels", strings.TrimPrefix(TypeName(reflect.TypeOf(m)), "*"), size.X, size.Y)
}
