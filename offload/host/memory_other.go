//go:build !linux && !darwin

package host

func systemMemory() int64 { return 0 }
