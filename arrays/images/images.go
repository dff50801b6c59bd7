// Package images lets package arrays read PNG, JPEG and GIF pictures and write PNG and JPEG ones: a program that uses
// arrays alone, and calls LoadImage, ReadImage or SaveImage, imports it for that.
//
//	import _ "github.com/arrayrepl/arrayrepl/arrays/images"
//
// What uses package lazy, as cells do, has it already. It is apart since a program links the formats that it imports,
// whether it uses them or not. Other formats are read too where a program imports what registers itself with package
// image.
package images

import (
	"image"
	_ "image/gif" // a format that is read
	"image/jpeg"
	"image/png"
	"io"

	"github.com/arrayrepl/arrayrepl/internal/pictures"
)

func init() {
	pictures.Register(".png", png.Encode)
	for _, ending := range []string{".jpg", ".jpeg"} {
		pictures.Register(ending, func(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, &jpeg.Options{Quality: 90}) })
	}
}
