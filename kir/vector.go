package kir

// vectorAt reports whether vs begins with a vector access as Value.Vec describes it.
func vectorAt(vs []*Value) bool {
	first := vs[0]
	n := int(first.Vec)
	if n != 2 && n != 4 || len(vs) < n || first.Op != OpLoad && first.Op != OpStore {
		return false
	}
	size := AccessBytes(first)
	if n*size > 16 {
		return false
	}
	for i, v := range vs[1:n] {
		if v.Op != first.Op || v.Space != first.Space || v.Args[0] != first.Args[0] || v.Vec != 0 || AccessBytes(v) != size ||
			v.Imm != first.Imm+uint64((i+1)*size) {
			return false
		}
	}
	return true
}

// AccessBytes returns the size of what a load or store accesses.
func AccessBytes(v *Value) int {
	if v.Op == OpStore {
		return v.Args[1].Type.Bytes()
	}
	return v.Type.Bytes()
}

// SplitVectors makes accesses of their own of vector accesses that have lost a part.
func (blk *Block) SplitVectors() {
	for i, v := range blk.Values {
		if v.Vec != 0 && !vectorAt(blk.Values[i:]) {
			v.Vec = 0
		}
	}
}
