package ptx

import "github.com/arrayrepl/arrayrepl/kir"

// typeInfo is how PTX holds values of a type of kir.
type typeInfo struct {
	reg    string // prefix of register names
	decl   string // type of those registers
	instr  string // type in arithmetic
	memory string // type in memory
	bits   string // type where signs do not matter
}

var types = map[kir.Type]typeInfo{
	kir.Bool: {"%p", "pred", "pred", "u8", "pred"},
	kir.I8:   {"%hi", "s16", "s16", "s8", "b16"}, kir.U8: {"%h", "u16", "u16", "u8", "b16"},
	kir.I16: {"%hi", "s16", "s16", "s16", "b16"}, kir.U16: {"%h", "u16", "u16", "u16", "b16"},
	kir.I32: {"%ri", "s32", "s32", "s32", "b32"}, kir.U32: {"%r", "u32", "u32", "u32", "b32"},
	kir.I64: {"%rdi", "s64", "s64", "s64", "b64"}, kir.U64: {"%rd", "u64", "u64", "u64", "b64"},
	kir.F16: {"%hf", "b16", "f16", "b16", "b16"},
	kir.F32: {"%f", "f32", "f32", "f32", "b32"}, kir.F64: {"%fd", "f64", "f64", "f64", "b64"},
}

// registerTypes are the types of registers by their prefix, in the order of their declarations. Words are untyped, as
// products of matrices want them.
var registerTypes = []struct{ prefix, decl string }{
	{"%p", "pred"}, {"%hi", "s16"}, {"%h", "u16"}, {"%hf", "b16"}, {"%ri", "s32"}, {"%r", "b32"}, {"%rdi", "s64"}, {"%rd", "u64"},
	{"%f", "f32"}, {"%fd", "f64"},
}

// scalars is the type that a PTX type names: ".b32" is U32.
var scalars = map[string]kir.Type{
	"pred": kir.Bool,
	"s8":   kir.I8, "s16": kir.I16, "s32": kir.I32, "s64": kir.I64,
	"u8": kir.U8, "u16": kir.U16, "u32": kir.U32, "u64": kir.U64,
	"b8": kir.U8, "b16": kir.U16, "b32": kir.U32, "b64": kir.U64,
	"f16": kir.F16, "f32": kir.F32, "f64": kir.F64,
}

// nan is what kir's operations give for NaN where PTX needs the bits written.
var nan = map[kir.Type]string{kir.F32: "0f7FC00000", kir.F64: "0d7FF8000000000000"}
