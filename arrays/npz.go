package arrays

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/npy"
	"github.com/arrayrepl/arrayrepl/internal/reading"
	"github.com/arrayrepl/arrayrepl/internal/replace"
)

// SaveZ writes arrays or slices under names to a file in NumPy's .npz format.
func SaveZ(path string, named map[string]any) (err error) {
	defer catch(&err)
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

// LoadZ reads all arrays of a .npz file, as numpy.savez and numpy.savez_compressed write it, by their names. A member
// whose content is not that of its checksum is an error, and so are two of one name, arrays for which there is no
// memory, and members that hold more than 256 MB together and much more than the file: see [SetUnpackTimes]. With names
// it reads those arrays alone: others may be Python's objects, which cannot be read.
func LoadZ(path string, names ...string) (named map[string]*Array, err error) {
	defer reading.Guard[*Error](&err, readerError("load", path))
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	z, err := zip.OpenReader(path)
	if errors.As(err, new(*fs.PathError)) {
		return nil, err
	} else if err != nil {
		return nil, badFile(err, "this is not a .npz file: %s", brief.Reason(err))
	}
	defer z.Close()
	members := unpacker{packed: info.Size()}
	out := make(map[string]*Array, min(len(z.File), 1000))
	for _, f := range z.File {
		name := strings.TrimSuffix(f.Name, ".npy")
		if len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		if out[name] != nil {
			return nil, badFile(nil, "two members are named %s", brief.Quoted(f.Name))
		}
		out[name], err = members.read(f)
		if errors.Is(err, npy.ErrObjects) {
			return nil, badFile(err, "%s: %s; LoadZ(path, names...) reads the others by name: %s", brief.Text(f.Name), brief.Reason(err), others(z.File, name))
		}
		if err != nil {
			return nil, badFile(err, "%s: %s", brief.Text(f.Name), brief.Reason(err))
		}
	}
	for _, name := range names {
		if out[name] == nil {
			return nil, badFile(nil, "there is no array %s; there are %s", brief.Quoted(name), others(z.File, ""))
		}
	}
	return out, nil
}

// others are the names of members but one.
func others(members []*zip.File, but string) string {
	var names []string
	for _, f := range members {
		if name := strings.TrimSuffix(f.Name, ".npy"); name != but && len(names) < 20 {
			names = append(names, strconv.Quote(name))
		}
	}
	return brief.Text(strings.Join(names, ", "))
}

// unpacker reads members of an archive, all of which together are bounded by the archive's size: members may lie on the
// same bytes.
type unpacker struct{ packed, content int64 }

// read reads the array of one member to the member's end, where the archive's checksum is compared.
func (u *unpacker) read(f *zip.File) (a *Array, err error) {
	defer intoError(&err) // so that the member is named

	if f.UncompressedSize64 > math.MaxInt64/2 {
		return nil, fmt.Errorf("the archive says that it has %d bytes", f.UncompressedSize64)
	}
	u.content += int64(f.UncompressedSize64)
	if err := budget.Unpacks("the archive", u.packed, u.content); err != nil {
		return nil, err
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	a, err = readNPY(r)
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
