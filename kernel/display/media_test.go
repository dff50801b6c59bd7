package display

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The header is that of the format's description: RIFF, PCM, 16 bits.
func TestAudioOfSamples(t *testing.T) {
	b := Audio([]float64{0, 1, -2}, 8000)
	page := b.Data[TypeHTML].(string)
	_, text, _ := strings.Cut(page, "base64,")
	text, _, _ = strings.Cut(text, `"`)
	file, err := base64.StdEncoding.DecodeString(text)
	require.NoError(t, err)
	assert.Contains(t, page, "data:audio/wav")
	assert.Equal(t, "RIFF\x2a\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data\x06\x00\x00\x00", string(file[:44]))
	assert.Equal(t, []byte{0, 0, 0, 0x40, 1, 0x80}, file[44:]) // the loudest is made 1
	assert.Contains(t, Audio([][]float64{{0}, {1}}).Text(), "48 bytes")
}

func TestMedia(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.svg")
	require.NoError(t, os.WriteFile(path, []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), 0o600))
	for want, b := range map[string]Bundle{
		`<img style="max-width:100%" width="50" src="data:image/svg+xml;base64,`:                           ImageFile(path, 50),
		`src="https://go.dev/a.png?x=1&amp;y=2"`:                                                           ImageFile("https://go.dev/a.png?x=1&y=2", 0),
		`<video controls width="320" src="data:video/mp4;base64,`:                                          Video([]byte{0, 1}, 320),
		`<iframe src="https://go.dev" width="600" height="400" style="border:0" allowfullscreen></iframe>`: IFrame("https://go.dev", 600, 400),
		`<a href="out/a&lt;b.csv" type="text/csv; charset=utf-8" target="_blank">out/a&lt;b.csv</a>`:       FileLink("out/a<b.csv"),
		`<div style="max-width:100%"><pre style="margin:0">1</pre></div>`:                                  Row(1, HTML("<b>")),
	} {
		assert.Contains(t, b.Data[TypeHTML], want)
	}
	assert.Equal(t, "````go\n```\n````", Code("```\n", "go").Data[TypeMarkdown])
	assert.Panics(t, func() { ImageFile("/nosuch.png", 0) })
	assert.Panics(t, func() { Video(3, 0) })
	data, err := GeoJSON(`{"type":"Point"}`).MarshalData()
	require.NoError(t, err)
	assert.JSONEq(t, `{"type":"Point"}`, string(data[TypeGeoJSON]))
}

func TestTrack(t *testing.T) {
	var got []int
	for v := range Track(slices.Values([]int{1, 2, 3})) {
		if got = append(got, v); v == 2 {
			break
		}
	}
	for v := range TrackSlice([]int{7, 8}) {
		got = append(got, v)
	}
	assert.Equal(t, []int{1, 2, 7, 8}, got)
	p := NewTracker("rows", -1)
	p.n = 30
	assert.Equal(t, "rows 30, 3s, 10/s", p.text(3*time.Second))
	for want, r := range map[string]float64{"0.0123": 0.01234, "3.46": 3.456, "99.9": 99.94, "124": 123.6, "22000": 21_957, "12300000": 1.2345e7} {
		assert.Equal(t, want, rateText(r))
	}
	p = NewTracker("rows", 60)
	p.n = 30
	assert.Equal(t, "rows  50% [████████████············] 30/60, 3s left, 10/s", p.text(3*time.Second))
}

// samplesArray is as arrays are.
type samplesArray struct {
	shape []int
	x     []float64
}

func (a samplesArray) Shape() []int        { return a.shape }
func (a samplesArray) Float64s() []float64 { return a.x }

func TestAudioOfArrays(t *testing.T) {
	x := []float64{0, 0.5, 1, -1}
	assert.Equal(t, Audio(x, 8000), Audio(samplesArray{[]int{4}, x}, 8000))
	assert.Equal(t, Audio([][]float64{x[:2], x[2:]}), Audio(samplesArray{[]int{2, 2}, x}))
	assert.Equal(t, Audio(x), Audio(samplesArray{[]int{1, 4}, x}))
	for _, shape := range [][]int{{4, 1}, {1, 2, 2}, {}} {
		assert.PanicsWithError(t, fmt.Sprintf("display.Audio wants samples of shape (n,), or (2, n) for two ears, not an array of shape %v", shape),
			func() { Audio(samplesArray{shape, x}) })
	}
}
