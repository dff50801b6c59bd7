package pbkdf2

import (
	"hash"
	"internal/instances"
)

func Key[Hash hash.Hash](h func() Hash, password string, salt []byte, iter, keyLength int) ([]byte, error) {
	return instances.PBKDF2Key(func() hash.Hash { return h() }, password, salt, iter, keyLength)
}
