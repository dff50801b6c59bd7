package hkdf

import (
	"hash"
	"internal/instances"
)

func Extract[H hash.Hash](h func() H, secret, salt []byte) ([]byte, error) {
	return instances.HKDFExtract(func() hash.Hash { return h() }, secret, salt)
}

func Expand[H hash.Hash](h func() H, pseudorandomKey []byte, info string, keyLength int) ([]byte, error) {
	return instances.HKDFExpand(func() hash.Hash { return h() }, pseudorandomKey, info, keyLength)
}

func Key[Hash hash.Hash](h func() Hash, secret, salt []byte, info string, keyLength int) ([]byte, error) {
	return instances.HKDFKey(func() hash.Hash { return h() }, secret, salt, info, keyLength)
}
