package ixgo

import (
	"go/constant"
	"go/types"
	"reflect"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"
)

// mendConvert: ixgo converts floats that are known beforehand to integers by package reflect, which goes through 64
// bits. Go leaves open what a float out of range becomes; compiled code goes through 32 bits for the narrow types, and
// converts the same float to the same integer whether it knows it or not.
func mendConvert(f compiled, instr ssa.Instruction, run instruction) instruction {
	in, ok := instr.(*ssa.Convert)
	if !ok {
		return nil
	}
	x, ok := in.X.(*ssa.Const)
	if !ok || x.Value == nil {
		return nil
	}
	from, ok := x.Type().Underlying().(*types.Basic)
	to, also := in.Type().Underlying().(*types.Basic)
	if !ok || !also || from.Info()&types.IsFloat == 0 || to.Info()&types.IsInteger == 0 {
		return nil
	}
	kind := to.Kind()
	var signed int64
	var unsigned uint64
	if from.Kind() == types.Float32 {
		v, _ := constant.Float32Val(x.Value)
		signed, unsigned = truncated(v, kind)
	} else {
		v, _ := constant.Float64Val(x.Value)
		signed, unsigned = truncated(v, kind)
	}
	reg := f.register(in)
	return func(fr *ixgo.Frame) {
		run(fr) // its type is right
		r := registers(fr)
		v := reflect.New(reflect.TypeOf(r[reg])).Elem()
		if v.CanInt() {
			v.SetInt(signed)
		} else {
			v.SetUint(unsigned)
		}
		r[reg] = v.Interface()
	}
}

// truncated converts a float to an integer of that kind as compiled code does: it is one of the two.
func truncated[F float32 | float64](v F, kind types.BasicKind) (signed int64, unsigned uint64) {
	switch kind {
	case types.Int:
		signed = int64(int(v))
	case types.Int8:
		signed = int64(int8(v))
	case types.Int16:
		signed = int64(int16(v))
	case types.Int32:
		signed = int64(int32(v))
	case types.Int64:
		signed = int64(v)
	case types.Uint:
		unsigned = uint64(uint(v))
	case types.Uint8:
		unsigned = uint64(uint8(v))
	case types.Uint16:
		unsigned = uint64(uint16(v))
	case types.Uint32:
		unsigned = uint64(uint32(v))
	case types.Uint64:
		unsigned = uint64(v)
	case types.Uintptr:
		unsigned = uint64(uintptr(v))
	}
	return signed, unsigned
}
