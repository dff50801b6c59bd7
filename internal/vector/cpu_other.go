//go:build !amd64

package vector

import "unsafe"

const hasAVX2, hasAVX512 = false, false

func hasF16C() bool { return false }

// FunctionLoops returns the loops of elementary functions that this processor can run: none.
func FunctionLoops() []Loop { return nil }

func sumFloat64([]float64) (float64, bool) { return 0, false }

func sumFloat32([]float32) (float64, bool) { return 0, false }

func tilesFloat64() *Tiles { return nil }

func tilesFloat32() *Tiles { return nil }

func dotFloat64() Dot[float64] { return nil }

func dotFloat32() Dot[float32] { return nil }

func linesFloat64() func(*Lines) { return nil }

func linesFloat32() func(*Lines) { return nil }

// ExtremesFloat64 returns the loops for float64: none.
func ExtremesFloat64() Extremes[float64] { return Extremes[float64]{} }

// ExtremesFloat32 returns the loops for float32: none.
func ExtremesFloat32() Extremes[float32] { return Extremes[float32]{} }

// Prefetch asks the processor for the n bytes from p on, at least one, before they are needed: nothing here.
func Prefetch(n int, p unsafe.Pointer) {}

func sortsUint64() *Sorts[uint64] { return nil }

func sortsUint32() *Sorts[uint32] { return nil }

func keysUint64() *KeyLoops[uint64] { return nil }

func keysUint32() *KeyLoops[uint32] { return nil }

func placeLoops() *PlaceLoops { return nil }

func passes() *Passes { return nil }

// Read leaves every cell to its caller.
func (d *Decimals) Read() {}
