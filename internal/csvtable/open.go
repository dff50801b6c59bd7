package csvtable

import (
	"io"
	"os"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/reading"
)

// Open opens a file, and decompresses it when it ends in .gz.
func Open(path string) (io.ReadCloser, error) {
	file, err := os.Open(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return file, err
	}
	packed := &countedBytes{from: file}
	unzipped, err := newUnzipped(packed)
	if err != nil {
		file.Close()
		return nil, reading.Fault(err, "cannot be decompressed: %s", brief.Reason(err))
	}
	return struct {
		io.Reader
		io.Closer
	}{&budget.Unpacked{From: unzipped, What: "the file", Packed: packed.count}, file}, nil
}

// countedBytes counts what is read.
type countedBytes struct {
	from io.Reader
	n    int64
}

// Read implements io.Reader.
func (c *countedBytes) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *countedBytes) count() int64 { return c.n }
