package arrays

import (
	"bytes"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/arrayrepl/arrayrepl/arrays/images"
	"github.com/arrayrepl/arrayrepl/internal/pictures"
)

// Without the formats each function says what to import.
func TestImagesAreNotImported(t *testing.T) {
	for _, ending := range []string{".png", ".jpg", ".jpeg"} {
		defer pictures.Register(ending, pictures.ByEnding(ending))
		pictures.Register(ending, nil)
	}
	const says = `import _ "github.com/arrayrepl/arrayrepl/arrays/images"`
	path := filepath.Join(t.TempDir(), "x.png")
	_, read := ReadImage(strings.NewReader("x"))
	for name, err := range map[string]error{"save": SaveImage(path, Ones(2, 2)), "read": read} {
		var typed *Error
		require.ErrorAs(t, err, &typed, name)
		require.ErrorContains(t, err, says, name)
	}
	require.NoFileExists(t, path)
}

// TestImagesWithPillow: Pillow reads the pixels that we write, and we those that it writes.
func TestImagesWithPillow(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	grey := Arange(12).Mul(20).AsType(Uint8).Reshape(3, 4)
	deep := Arange(6).Mul(13000).AsType(Uint16).Reshape(2, 3)
	rgb := Arange(24).Mul(10).AsType(Uint8).Reshape(2, 4, 3)
	rgba := Arange(32).Mul(8).AsType(Uint8).Reshape(2, 4, 4)
	rgba.Set(200, 0, 0, 3)
	for name, x := range map[string]any{"grey": grey, "deep": deep, "rgb": rgb, "rgba": rgba, "bools": grey.Gt(100), "floats": Linspace(0, 1, 256).Reshape(16, 16), "ints": grey.AsType(Int64), "rows": [][]uint8{{1, 2}}} {
		if err := SaveImage(at(name+".png"), x); err != nil {
			t.Fatal(err)
		}
	}
	if err := SaveImage(at("photo.JPG"), Full(uint8(77), 16, 16)); err != nil {
		t.Fatal(err)
	}
	got := python(t, dir, `
import numpy as np
from PIL import Image
for n in ("grey", "deep", "rgb", "rgba", "bools", "floats", "ints", "rows"):
    i = Image.open(n + ".png"); a = np.asarray(i); print(n, i.mode, a.shape, int((a.astype(int) * np.arange(1, a.size + 1).reshape(a.shape)).sum()))
print(np.asarray(Image.open("photo.JPG")).mean())
g = np.random.default_rng(1)
for mode, shape in (("L", (5, 7)), ("RGB", (5, 7, 3)), ("RGBA", (5, 7, 4))):
    a = g.integers(0, 256, shape).astype("u1"); Image.fromarray(a).save(mode + ".png"); np.save(mode + ".npy", a)
a = g.integers(0, 65536, (4, 4)).astype("u2"); Image.fromarray(a).save("I16.png"); np.save("I16.npy", a)
a = Image.fromarray((g.integers(0, 2, (9, 9)) * 255).astype("u1")).convert("P"); a.save("P.gif"); np.save("P.npy", np.asarray(Image.open("P.gif").convert("RGB")))
`)
	want := `grey L (3, 4) 11440
deep I;16 (2, 3) 910000
rgb RGB (2, 4, 3) 46000
rgba RGBA (2, 4, 4) 88000
bools L (3, 4) 14535
floats L (16, 16) 5592320
ints L (3, 4) 11440
rows L (1, 2) 5
77.0
`
	if got != want {
		t.Errorf("Pillow reads\n%swant\n%s", got, want)
	}
	for _, name := range []string{"L.png", "RGB.png", "RGBA.png", "I16.png", "P.gif"} {
		want, err := Load(at(strings.SplitN(name, ".", 2)[0] + ".npy"))
		if err != nil {
			t.Fatal(err)
		}
		if a, err := LoadImage(at(name)); err != nil || a.DType() != want.DType() || !ArrayEqual(a, want) {
			t.Errorf("%s: %v\n%v\nwant\n%v", name, err, a, want)
		}
	}
}

func TestPicturesGoThereAndBack(t *testing.T) {
	for _, a := range []*Array{
		Arange(6).AsType(Uint8).Reshape(2, 3), Arange(6).AsType(Uint16).Reshape(2, 3), Arange(18).AsType(Uint8).Reshape(2, 3, 3), Arange(18).AsType(Uint16).Reshape(2, 3, 3),
		Arange(24).AsType(Uint8).Reshape(2, 3, 4), Arange(24).AsType(Uint16).Reshape(2, 3, 4), Arange(24).AsType(Uint8).Reshape(4, 6).T().At(S(1, 5), S(0, 3)),
	} {
		m, err := ToImage(a)
		if err != nil {
			t.Fatal(err)
		}
		if back := FromImage(m); back.DType() != a.DType() || !ArrayEqual(back, a) {
			t.Errorf("%v became %v", a, back)
		}
	}
	m := image.NewGray16(image.Rect(3, 4, 8, 6)) // a part of a larger picture
	m.SetGray16(4, 5, color.Gray16{Y: 700})
	if a := FromImage(m.SubImage(image.Rect(4, 5, 6, 6))); !slices.Equal(a.Shape(), []int{1, 2}) || a.At(0, 0).Int() != 700 {
		t.Error(a)
	}
}

func TestWhatIsNoPicture(t *testing.T) {
	dir := t.TempDir()
	for want, x := range map[string]any{
		"image: shape (3,) is not a picture; (height,width) is a grey one": []int{1, 2, 3},
		"image: shape (1,1,2) is not a picture":                            Zeros(1, 1, 2),
		"image: a picture of shape (0,4) has no pixels":                    Zeros(0, 4),
		"image: elements go from -1 to 2; ints":                            [][]int{{-1, 2}},
		"image: elements go from 0.0 to 2.0; floats of a picture":          [][]float64{{0, 2}},
		"image: an array of complex128 is not a picture":                   [][]complex128{{1}},
	} {
		if err := SaveImage(filepath.Join(dir, "x.png"), x); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	if err := SaveImage(filepath.Join(dir, "x.bmp"), [][]uint8{{1}}); err == nil || !strings.Contains(err.Error(), "x.bmp: pictures are written to .png") {
		t.Error(err)
	}
	if _, err := ReadImage(bytes.NewReader([]byte("hello"))); err == nil || !strings.Contains(err.Error(), "this is not a PNG, JPEG or GIF picture") {
		t.Error(err)
	}
	if _, err := LoadImage(filepath.Join(dir, "gone.png")); err == nil || !strings.Contains(err.Error(), "cannot be opened") {
		t.Error(err)
	}
}

// FuzzReadImage: no file makes the reader panic.
func FuzzReadImage(f *testing.F) {
	for _, a := range []*Array{Zeros(2, 2), Zeros(3, 3, 3), Zeros(3, 3, 4)} {
		path := filepath.Join(f.TempDir(), "x.png")
		if err := SaveImage(path, a); err != nil {
			f.Fatal(err)
		}
		file, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
		f.Add(file[:len(file)-20])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if a, err := ReadImage(bytes.NewReader(data)); err == nil && a.NDim() < 2 {
			t.Error(a)
		}
	})
}
