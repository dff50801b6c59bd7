package arrays

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/replace"
)

// SaveZ writes arrays or slices under names to a file in NumPy's .npz format.
func SaveZ(path string, named map[string]any) error {
	return replace.File(path, false, func(w io.Writer) error {
		z := zip.NewWriter(w)
		names := make([]string, 0, len(named))
		for name := range named {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			a, _, err := AsArray(named[name])
			if err != nil {
				return withOp("save", err)
			}
			e, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
			if err != nil {
				return err
			}
			if err := a.WriteNPY(e); err != nil {
				return err
			}
		}
		return z.Close()
	})
}

// LoadZ reads all arrays of a .npz file, as numpy.savez and numpy.savez_compressed write it, by their names. A member whose content is
// not that of its checksum is an error.
func LoadZ(path string) (map[string]*Array, error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, &Error{Op: "load", Msg: fmt.Sprintf("%s is no .npz file: %v", path, err), Err: err}
	}
	defer z.Close()
	out := make(map[string]*Array, len(z.File))
	for _, f := range z.File {
		a, err := readMember(f)
		if err != nil {
			return nil, &Error{Op: "load", Msg: fmt.Sprintf("%s: %s: %v", path, f.Name, err), Err: err}
		}
		out[strings.TrimSuffix(f.Name, ".npy")] = a
	}
	return out, nil
}

// readMember reads the array of one member to the member's end, where the archive's checksum is compared.
func readMember(f *zip.File) (*Array, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	a, err := ReadNPY(r)
	rest, drained := io.Copy(io.Discard, r)
	switch {
	case errors.Is(drained, zip.ErrChecksum) || err == nil && drained != nil:
		return nil, fmt.Errorf("the file is damaged: %w", drained)
	case err != nil:
		return nil, err
	case rest > 0:
		return nil, fmt.Errorf("%d bytes follow the array: the file is damaged, or is not from NumPy", rest)
	}
	return a, nil
}
