package main

import (
	"archive/zip"
	"compress/flate"
	"io"
	"os"
	"time"
)

// entry is a file of a wheel.
type entry struct {
	name    string
	data    []byte
	program bool
}

func (e entry) mode() os.FileMode {
	if e.program {
		return 0o755
	}
	return 0o644
}

// writeZip writes a zip that holds nothing of the machine that made it: neither times nor owners.
func writeZip(to io.Writer, entries []entry, at time.Time) error {
	w := zip.NewWriter(to)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestCompression)
	})
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		h.SetMode(e.mode())
		f, err := w.CreateHeader(h)
		if err == nil {
			_, err = f.Write(e.data)
		}
		if err != nil {
			return err
		}
	}
	return w.Close()
}
