package budget

import (
	"fmt"
	"io"
	"sync/atomic"
)

// A file of data is seldom packed to less than a hundredth, and deflate packs a row of equal bytes to a thousandth. So
// what is packed tighter is refused, unless it is small.
const (
	UnpackTimes  = 250       // the content of a packed file in bytes, for each of its own
	UnpackAlways = 256 << 20 // bytes of content that every file may have
)

var times atomic.Int64

func init() { times.Store(UnpackTimes) }

// SetUnpackTimes sets how many times its own size the content of a packed file may have, and returns what it was.
func SetUnpackTimes(n int) (before int) { return int(times.Swap(int64(max(n, 1)))) }

// Unpacks returns an error when content, in bytes, is too much to be made of so many packed ones.
func Unpacks(what string, packed, content int64) error {
	if most := times.Load(); content > UnpackAlways && content/most >= max(packed, 1) {
		return fmt.Errorf("%s has %s, made of %s: more than %d times as much is refused, as files that are made to fill the memory have it; "+
			"np.SetUnpackTimes allows it for files that you trust", what, Bytes(content), Bytes(packed), most)
	}
	return nil
}

// Unpacked reads from an unpacker, and fails when it yields more than [Unpacks] allows.
type Unpacked struct {
	From   io.Reader
	What   string
	Packed func() int64 // how many packed bytes there are, or have been read
	yields int64
}

// Read implements io.Reader.
func (u *Unpacked) Read(p []byte) (int, error) {
	n, err := u.From.Read(p)
	u.yields += int64(n)
	if u.yields > UnpackAlways {
		if bad := Unpacks(u.What, u.Packed(), u.yields); bad != nil {
			return 0, bad
		}
	}
	return n, err
}
