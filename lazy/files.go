package lazy

import (
	"image"
	"io"

	mat64 "gonum.org/v1/gonum/mat"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// placeholder makes a lazy array of what a file had.
func placeholder(a *arrays.Array, err error) (*Array, error) {
	if err != nil {
		return nil, err
	}
	return FromArray(a), nil
}

// LoadImage reads a PNG, JPEG or GIF file: shape (height, width) of a grey picture, (height, width, 3) or (height,
// width, 4) of a coloured one. See arrays.LoadImage.
func LoadImage(path string) (*Array, error) { return placeholder(arrays.LoadImage(path)) }

// ReadImage is [LoadImage] of what r has.
func ReadImage(r io.Reader) (*Array, error) { return placeholder(arrays.ReadImage(r)) }

// FromImage returns the pixels of a picture. See arrays.FromImage.
func FromImage(m image.Image) *Array { return FromArray(arrays.FromImage(m)) }

// FromMatrix returns the elements of a matrix of gonum as a float64 array. See arrays.FromMatrix.
func FromMatrix(m Matrix) *Array { return FromArray(arrays.FromMatrix(m)) }

// Dense computes a and returns its elements as a matrix of gonum. See arrays.Array.Dense.
func (a *Array) Dense() *mat64.Dense { return a.Array().Dense() }

// ToImage evaluates x and returns the picture of it: of uint8, uint16, floats from 0 to 1, bools. See arrays.ToImage.
func ToImage(x ArrayLike) (image.Image, error) { return arrays.ToImage(evaluated(x)) }

// SaveImage evaluates x and writes it to a .png, .jpg or .jpeg file. See arrays.SaveImage.
func SaveImage(path string, x ArrayLike) error {
	eager, err := forFile(x)
	if err != nil {
		return err
	}
	return arrays.SaveImage(path, eager)
}

// SaveJSON evaluates x and writes it to a file as lists of lists. See arrays.SaveJSON.
func SaveJSON(path string, x ArrayLike) error {
	eager, err := forFile(x)
	if err != nil {
		return err
	}
	return arrays.SaveJSON(path, eager)
}

// LoadJSON reads an array from a file of lists of lists. See arrays.LoadJSON.
func LoadJSON(path string) (*Array, error) { return placeholder(arrays.LoadJSON(path)) }

// MarshalJSON evaluates a and writes it as lists of lists. See arrays.Array.MarshalJSON.
func (a *Array) MarshalJSON() ([]byte, error) {
	a.assigned()
	return a.Array().MarshalJSON()
}

// UnmarshalJSON reads lists of lists of one shape into a. See arrays.Array.UnmarshalJSON.
func (a *Array) UnmarshalJSON(text []byte) error {
	var e arrays.Array
	if err := e.UnmarshalJSON(text); err != nil {
		return err
	}
	*a = *FromArray(&e)
	return nil
}
