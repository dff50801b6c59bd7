package zmtp

import (
	"encoding/binary"
	"errors"
	"strings"
)

const z85Digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"

// z85 decodes text in ZeroMQ's base 85, five characters for four bytes: https://rfc.zeromq.org/spec/32/.
func z85(text string) ([]byte, error) {
	var out []byte
	if len(text)%5 != 0 {
		return nil, errors.New("zmtp: the length of Z85 text is a multiple of 5")
	}
	for ; text != ""; text = text[5:] {
		var v uint64
		for _, c := range []byte(text[:5]) {
			i := strings.IndexByte(z85Digits, c)
			if i < 0 {
				return nil, errors.New("zmtp: a character that Z85 does not have")
			}
			v = 85*v + uint64(i)
		}
		if v > 1<<32-1 {
			return nil, errors.New("zmtp: five characters of Z85 that are more than four bytes")
		}
		out = binary.BigEndian.AppendUint32(out, uint32(v))
	}
	return out, nil
}
