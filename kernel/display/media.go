package display

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"mime"
	"path/filepath"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/budget"
)

// maxMedia bounds a file that is put into a notebook.
const maxMedia = 24 << 20

// Audio returns a value that displays as a player of a sound: the bytes of a sound file, the path or the address of
// one, or samples, a []float64, a []float32 or an array between -1 and 1 (louder ones are made as loud as that), or a
// []int16, with their rate in samples a second. Two rows of samples, [][]float64 or an array of shape (2, n), are the
// left and the right ear. It panics for other values, and for a file that cannot be read.
func Audio(of any, rate ...int) Bundle {
	file, address := []byte(nil), ""
	switch of := of.(type) {
	case []float64:
		file = wave([][]float64{of}, rate)
	case [][]float64:
		file = wave(of, rate)
	case []float32:
		samples := make([]float64, len(of))
		for i, x := range of {
			samples[i] = float64(x)
		}
		file = wave([][]float64{samples}, rate)
	case []int16:
		samples := make([]float64, len(of))
		for i, x := range of {
			samples[i] = max(-1, float64(x)/math.MaxInt16)
		}
		file = wave([][]float64{samples}, rate)
	case sampled:
		file = wave(ears(of), rate)
	default:
		file, address = media("Audio", of)
	}
	if address == "" {
		address = DataAddress(file, "audio/wav")
	}
	return rich(TypeHTML, `<audio controls src="`+html.EscapeString(address)+`"></audio>`, fmt.Sprintf("<audio, %d bytes>", len(file)))
}

// sampled is an array.
type sampled interface {
	Shape() []int
	Float64s() []float64
}

// ears returns the rows of an array of samples.
func ears(a sampled) [][]float64 {
	switch shape := a.Shape(); {
	case len(shape) == 1:
		return [][]float64{a.Float64s()}
	case len(shape) == 2 && (shape[0] == 1 || shape[0] == 2):
		all, n := a.Float64s(), shape[1]
		rows := [][]float64{all[:n]}
		if shape[0] == 2 {
			rows = append(rows, all[n:])
		}
		return rows
	default:
		panic(fmt.Errorf("display.Audio wants samples of shape (n,), or (2, n) for two ears, not an array of shape %v", shape))
	}
}

// Video returns a value that displays as a player of a film: the bytes of a file, or its path or address. Width is in
// pixels, 0 for that of the film.
func Video(of any, width int) Bundle {
	file, address := media("Video", of)
	if address == "" {
		address = DataAddress(file, "video/mp4")
	}
	return rich(TypeHTML, fmt.Sprintf(`<video controls%s src="%s"></video>`, widthOf(width), html.EscapeString(address)), "<video>")
}

// ImageFile returns a value that displays as a picture: the bytes of a file (PNG, JPEG, GIF, SVG, WebP), or its path or
// address. Width is in pixels, 0 for that of the picture. What an address names is not read: the page fetches it.
func ImageFile(of any, width int) Bundle {
	file, address := media("ImageFile", of)
	what := "<picture " + address + ">"
	if address == "" {
		address, what = DataAddress(file, "image/png"), fmt.Sprintf("<picture, %d bytes>", len(file))
	}
	b := rich(TypeHTML, fmt.Sprintf(`<img style="max-width:100%%"%s src="%s">`, widthOf(width), html.EscapeString(address)), what)
	if pic, ok, _ := picture(file); ok {
		for typ, form := range pic.Data {
			if typ != TypeText {
				b.Data[typ] = form
			}
			if width > 0 && typ != TypeText {
				b.Metadata = MIMEMap{typ: MIMEMap{"width": width}}
			}
		}
	}
	return b
}

func widthOf(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(` width="%d"`, n)
}

// media is a file's bytes, or the address of what is not here.
func media(what string, of any) (file []byte, address string) {
	switch of := of.(type) {
	case []byte:
		return of, ""
	case string:
		if strings.HasPrefix(of, "http://") || strings.HasPrefix(of, "https://") || strings.HasPrefix(of, "data:") {
			return nil, of
		}
		file, err := budget.ReadFile(of, "the file", maxMedia)
		if err != nil {
			panic(fmt.Errorf("display.%s: %w", what, err))
		}
		return file, ""
	}
	panic(fmt.Errorf("display.%s wants the bytes of a file, or its path or address, not %T", what, of))
}

// mediaTypes tells files by how they begin, or by what stands a little later.
var mediaTypes = []struct {
	at           int
	begins, mime string
}{
	{0, "\x89PNG", "image/png"}, {0, "\xff\xd8\xff", "image/jpeg"}, {0, "GIF8", "image/gif"}, {8, "WEBP", "image/webp"}, {0, "<svg", "image/svg+xml"},
	{8, "WAVE", "audio/wav"}, {0, "ID3", "audio/mpeg"}, {0, "\xff\xfb", "audio/mpeg"}, {0, "OggS", "audio/ogg"}, {0, "fLaC", "audio/flac"},
	{4, "ftyp", "video/mp4"}, {0, "\x1aE\xdf\xa3", "video/webm"},
}

// DataAddress is a file as an address that holds all of it, for pages that show it without fetching it; usual is its
// type where its first bytes do not tell.
func DataAddress(file []byte, usual string) string {
	start := strings.TrimSpace(string(file[:min(len(file), 512)]))
	if strings.HasPrefix(start, "<?xml") && strings.Contains(start, "<svg") {
		usual = "image/svg+xml"
	}
	for _, m := range mediaTypes {
		if len(start) > m.at && strings.HasPrefix(start[m.at:], m.begins) {
			usual = m.mime
			break
		}
	}
	return "data:" + usual + ";base64," + base64.StdEncoding.EncodeToString(file)
}

// wave is a WAV file of samples of 16 bits.
func wave(channels [][]float64, rates []int) []byte {
	rate := append(rates, 44100)[0]
	switch {
	case rate <= 0 || rate > math.MaxInt32/4:
		panic(fmt.Errorf("display.Audio: %d samples a second are not the rate of a sound; usual ones are 8000 and 44100",
			rate))
	case len(channels) == 0 || len(channels) > 2:
		panic(fmt.Errorf("display.Audio wants one row of samples, or two for two ears, not %d", len(channels)))
	}
	n, loud := 0, 1.0
	for _, c := range channels {
		n = max(n, len(c))
		for _, x := range c {
			if a := math.Abs(x); a > loud && !math.IsInf(a, 0) {
				loud = a
			}
		}
	}
	k := len(channels)
	le := binary.LittleEndian
	b := append([]byte("RIFF"), le.AppendUint32(nil, uint32(36+2*k*n))...)
	b = append(b, "WAVEfmt "...)
	b = le.AppendUint32(b, 16)
	b = le.AppendUint16(b, 1)
	b = le.AppendUint16(b, uint16(k))
	b = le.AppendUint32(b, uint32(rate))
	b = le.AppendUint32(b, uint32(2*k*rate))
	b = le.AppendUint16(b, uint16(2*k))
	b = le.AppendUint16(b, 16)
	b = append(b, "data"...)
	b = le.AppendUint32(b, uint32(2*k*n))
	for i := range n {
		for _, c := range channels {
			x := 0.0
			if i < len(c) && !math.IsNaN(c[i]) {
				x = max(-1, min(1, c[i]/loud))
			}
			b = le.AppendUint16(b, uint16(int16(math.Round(x*math.MaxInt16))))
		}
	}
	return b
}

// IFrame returns a value that displays as the page at an address, in a frame of so many pixels.
func IFrame(address string, width, height int) Bundle {
	return rich(TypeHTML, fmt.Sprintf(`<iframe src="%s" width="%d" height="%d" style="border:0" allowfullscreen></iframe>`, html.EscapeString(address), width, height), "<page "+address+">")
}

// TypeGeoJSON is what clients with a map show.
const TypeGeoJSON = "application/geo+json"

// GeoJSON returns a value that displays on a map, in clients that have one: a value that encoding/json accepts, or
// text.
func GeoJSON(v any) Bundle {
	switch text := v.(type) {
	case string:
		v = json.RawMessage(text)
	case []byte:
		v = json.RawMessage(text)
	}
	return rich(TypeGeoJSON, v, "<GeoJSON>")
}

// Code returns a value that displays as source text, in the colours of its language where the client knows it: "go",
// "python", "sql".
func Code(source, language string) Bundle {
	text := fenced(source, "```\n")
	first := strings.IndexByte(text, '\n')
	return rich(TypeMarkdown, text[:first]+language+text[first:], source)
}

// FileLink returns a value that displays as a link to a file, whose path is relative to the notebook.
func FileLink(path string) Bundle {
	kind := ""
	if t := mime.TypeByExtension(filepath.Ext(path)); t != "" {
		kind = ` type="` + html.EscapeString(t) + `"`
	}
	return rich(TypeHTML, fmt.Sprintf(`<a href="%s"%s target="_blank">%s</a>`, html.EscapeString(filepath.ToSlash(path)), kind, html.EscapeString(path)), path)
}
