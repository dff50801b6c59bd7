// Package pictures keeps what writes pictures, for package arrays, which links no format itself. What reads them
// registers itself with package image. Knows no format; package arrays/images brings them.
package pictures

import (
	"image"
	"io"
	"sync"
)

// Encoder writes a picture in a format.
type Encoder func(w io.Writer, m image.Image) error

var encoders sync.Map // by the ending of files' names

// Register says what writes files whose names have an ending, as ".png". A package that does it calls it from its init.
func Register(ending string, e Encoder) { encoders.Store(ending, e) }

// ByEnding returns what writes files of an ending, nil where there is none.
func ByEnding(ending string) Encoder {
	if e, ok := encoders.Load(ending); ok {
		return e.(Encoder) // nil where a test has none
	}
	return nil
}
