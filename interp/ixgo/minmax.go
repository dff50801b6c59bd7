package ixgo

import (
	"cmp"
	"go/types"
	"math"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"
)

// mendMinMax does min and max itself. ixgo knows no uintptr, loses a NaN, takes the two zeros for one, and does not
// look at an argument that is the first parameter of a function without results.
func mendMinMax(f compiled, instr ssa.Instruction, run instruction) instruction {
	in, isMax := builtin(instr, "min"), false
	if in == nil {
		in, isMax = builtin(instr, "max"), true
	}
	if in == nil {
		return nil
	}
	args := make([]int, len(in.Call.Args))
	for i, a := range in.Call.Args {
		args[i] = f.register(a)
	}
	result := f.register(in)
	switch in.Type().Underlying().(*types.Basic).Kind() {
	case types.Int, types.UntypedInt:
		return choose(args, result, beats[int](isMax))
	case types.Int8:
		return choose(args, result, beats[int8](isMax))
	case types.Int16:
		return choose(args, result, beats[int16](isMax))
	case types.Int32, types.UntypedRune:
		return choose(args, result, beats[int32](isMax))
	case types.Int64:
		return choose(args, result, beats[int64](isMax))
	case types.Uint:
		return choose(args, result, beats[uint](isMax))
	case types.Uint8:
		return choose(args, result, beats[uint8](isMax))
	case types.Uint16:
		return choose(args, result, beats[uint16](isMax))
	case types.Uint32:
		return choose(args, result, beats[uint32](isMax))
	case types.Uint64:
		return choose(args, result, beats[uint64](isMax))
	case types.Uintptr:
		return choose(args, result, beats[uintptr](isMax))
	case types.Float32:
		return choose(args, result, floatBeats[float32](isMax))
	case types.Float64, types.UntypedFloat:
		return choose(args, result, floatBeats[float64](isMax))
	case types.String, types.UntypedString:
		return choose(args, result, beats[string](isMax))
	}
	return nil
}

// choose returns an instruction that puts the argument which beats the others into the register of the result. A
// register holds a pointer to its value, whatever the name of its type.
func choose[T any](args []int, result int, beats func(x, best T) bool) instruction {
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		chosen := args[0]
		best := *(*T)(pointerOf(&r[chosen]))
		for _, a := range args[1:] {
			if x := *(*T)(pointerOf(&r[a])); beats(x, best) {
				chosen, best = a, x
			}
		}
		r[result] = r[chosen]
	}
}

func beats[T cmp.Ordered](isMax bool) func(x, best T) bool {
	if isMax {
		return func(x, best T) bool { return x > best }
	}
	return func(x, best T) bool { return x < best }
}

// floatBeats is beats where a NaN beats all numbers, and minus zero is less than zero.
func floatBeats[T float32 | float64](isMax bool) func(x, best T) bool {
	negative := func(x T) bool { return math.Signbit(float64(x)) }
	order := beats[T](isMax)
	return func(x, best T) bool {
		return order(x, best) || x != x && best == best || x == 0 && best == 0 && negative(x) != isMax && negative(best) == isMax
	}
}
