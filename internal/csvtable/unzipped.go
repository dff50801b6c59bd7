package csvtable

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// unzipped reads a gzip file: packed texts one behind the other, and zeros behind them, which tapes and blocks leave.
// Its errors are never io.ErrUnexpectedEOF, which who reads full buffers takes for the end of a good text.
type unzipped struct {
	packed *bufio.Reader
	text   *gzip.Reader
	err    error
}

func newUnzipped(packed io.Reader) (*unzipped, error) {
	u := &unzipped{packed: bufio.NewReader(packed)}
	var err error
	if u.text, err = gzip.NewReader(u.packed); err != nil {
		return nil, err
	}
	u.text.Multistream(false)
	return u, nil
}

// Read implements io.Reader.
func (u *unzipped) Read(p []byte) (n int, err error) {
	for n == 0 && len(p) > 0 && u.err == nil {
		n, err = u.text.Read(p)
		switch {
		case err == io.EOF:
			u.err = u.next()
		case err != nil:
			u.err = errors.New("the packed text is damaged: " + brief.Reason(err))
		}
	}
	if n > 0 {
		return n, nil
	}
	return 0, u.err
}

// next begins the packed text that follows. It returns io.EOF when there is none.
func (u *unzipped) next() error {
	for {
		c, err := u.packed.ReadByte()
		switch {
		case err != nil:
			return err
		case c != 0:
			_ = u.packed.UnreadByte()
			if err := u.text.Reset(u.packed); err != nil {
				return errors.New("behind the packed text there is more, which is not packed: " + brief.Reason(err))
			}
			u.text.Multistream(false)
			return nil
		}
	}
}
