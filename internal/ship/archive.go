package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// entry is a file of an archive.
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

// writeArchive packs the binary with what has to go with it: a zip for Windows, a tar.gz for others, in a folder of its
// own.
func writeArchive(o options, p platform, binary string, notices []byte) (path string, err error) {
	at, err := commitTime()
	if err != nil {
		return "", err
	}
	program, err := os.ReadFile(binary)
	if err != nil {
		return "", err
	}
	folder := strings.Join([]string{"arrayrepl", strings.TrimPrefix(o.version, "v"), p.joined("_")}, "_")
	entries := []entry{{folder + "/" + p.program(), program, true}, {folder + "/NOTICES.txt", notices, false}}
	for _, name := range []string{"LICENSE", "README.md", "docs/install.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		entries = append(entries, entry{folder + "/" + filepath.Base(name), data, false})
	}
	var b bytes.Buffer
	path = filepath.Join(o.out, folder)
	if p.os == "windows" {
		path, err = path+".zip", writeZip(&b, entries, at)
	} else {
		path, err = path+".tar.gz", writeTar(&b, entries, at)
	}
	if err != nil {
		return "", err
	}
	return path, os.WriteFile(path, b.Bytes(), 0o644)
}

// writeTar writes a tar.gz that holds nothing of the machine that made it: neither times nor owners.
func writeTar(to io.Writer, entries []entry, at time.Time) error {
	gz, err := gzip.NewWriterLevel(to, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(gz)
	for _, e := range entries {
		if err := w.WriteHeader(&tar.Header{Name: e.name, Mode: int64(e.mode()), Size: int64(len(e.data)), ModTime: at, Format: tar.FormatUSTAR}); err != nil {
			return err
		}
		if _, err := w.Write(e.data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return gz.Close()
}

// writeZip writes a zip of which the same holds.
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
