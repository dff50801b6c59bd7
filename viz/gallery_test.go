package viz

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

var galleryDir = flag.String("gallery", "", "directory to write a page and pictures of all charts into, for looking at")

// TestGalleryPage writes the page that a browser check opens: go test ./viz -run GalleryPage -args -gallery DIR.
func TestGalleryPage(t *testing.T) {
	dir := *galleryDir
	if dir == "" {
		dir = t.TempDir()
	}
	f, err := os.Create(filepath.Join(dir, "gallery.html"))
	if err != nil {
		t.Fatal(err)
	}
	if err := WritePage(f, "Gallery", gallery()...); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for i, c := range gallery() {
		if c.Err != nil {
			t.Fatalf("chart %d: %v", i, c.Err)
		}
		if *galleryDir == "" && !testsize.Part(i, 3) {
			continue
		}
		for _, ext := range []string{".svg", ".png"} {
			if err := c.Save(filepath.Join(dir, fmt.Sprintf("%02d%s", i, ext))); err != nil {
				t.Fatal(err)
			}
		}
	}
}
