package maphash

import (
	"hash/maphash"
	"internal/instances"
)

func Comparable[T comparable](seed maphash.Seed, v T) uint64 {
	return instances.Comparable(seed, v)
}

func WriteComparable[T comparable](h *maphash.Hash, x T) {
	instances.WriteComparable(h, x)
}
