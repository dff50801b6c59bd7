package main

import (
	"fmt"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// keySet is the sorting of unsigned keys of one width with AVX-512.
type keySet struct {
	name  string // of its functions
	size  int    // bytes of a key
	lanes int    // keys of a register
}

var keySets = []keySet{{"U64", 8, 8}, {"U32", 4, 16}}

// sorts writes what package sorting is made of: networks that sort what registers hold, the partition of quicksort, and
// what makes keys of elements and elements of keys.
func sorts() {
	for _, k := range keySets {
		for rows := 1; rows <= 16; rows *= 2 {
			k.network(rows)
		}
		k.partition()
		k.keys()
	}
	keySets[0].places()
	for _, k := range narrowKeySets {
		for rows := 2; rows <= 8; rows *= 2 {
			k.network(rows)
		}
		k.partition()
	}
}

func (k keySet) element() string { return fmt.Sprintf("uint%d", 8*k.size) }

// network writes the sorting of n keys that fill more than half of so many registers, but for one register, which takes
// any number; others count as the largest key. Registers are rows of a matrix: a network of comparisons between rows
// sorts each column, then neighbouring columns, pairs of them and so on are merged (Batcher's bitonic merge, of which
// all steps but a few are between rows), and what then lies column after column is transposed.
func (k keySet) network(rows int) {
	TEXT(fmt.Sprintf("network%sx%d", k.name, rows), NOSPLIT, fmt.Sprintf("func(n int, x *%s)", k.element()))
	n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
	full := rows / 2
	at := func(row int) Mem { return Mem{Base: x, Disp: 64 * row} }
	k.laneMasks()

	masks := k.tailMasks(n, full*k.lanes, rows-full)
	mask := func(row int) Register {
		masks(row-full, K5)
		return K5
	}
	v := make([]VecVirtual, rows)
	for row := range v {
		v[row] = ZMM()
		if row < full {
			VMOVDQU64(at(row), v[row])
			continue
		}
		VPTERNLOGD(Imm(0xff), v[row], v[row], v[row])
		k.loadIn(mask(row), at(row), v[row])
	}
	sortColumns(rows, func(i, j int) { k.comparator(v, i, j) })
	reverse := k.reversals()
	for group := 2; group <= k.lanes; group *= 2 {
		upper := laneBit(group / 2)
		for i := range (rows + 1) / 2 {
			j := rows - 1 - i
			y, low := ZMM(), ZMM()
			reverse(group, v[j], y)
			k.min(v[i], y, low)
			if i != j {
				high := ZMM()
				k.max(v[i], y, high)
				k.minIn(upper, v[i], y, high)
				k.maxIn(upper, v[i], y, low)
				reverse(group, high, v[j])
			} else {
				k.maxIn(upper, v[i], y, low)
			}
			v[i] = low
		}
		for d := group / 4; d > 0; d /= 2 {
			for i := range v {
				y, low := ZMM(), ZMM()
				k.exchange(d, v[i], y)
				k.min(v[i], y, low)
				k.maxIn(laneBit(d), v[i], y, low)
				v[i] = low
			}
		}
		mergeColumns(rows, func(i, j int) { k.comparator(v, i, j) })
	}
	v = k.transposed(v)
	for row := range v {
		if row < full {
			VMOVDQU64(v[row], at(row))
		} else {
			k.storeIn(mask(row), v[row], at(row))
		}
	}
	VZEROUPPER()
	RET()
}

// laneMasks sets K1 to K4 to the lanes whose index has bit 0 to 3 set.
func (k keySet) laneMasks() {
	for i, bits := range []uint32{0xaaaa, 0xcccc, 0xf0f0, 0xff00} {
		r := GP32()
		MOVL(U32(bits), r)
		KMOVW(r, []Register{K1, K2, K3, K4}[i])
	}
}

func laneBit(d int) Register { return map[int]Register{1: K1, 2: K2, 4: K3, 8: K4}[d] }

func (k keySet) toMask(from GPVirtual, to Register) {
	if k.lanes == 8 {
		KMOVB(from.As32(), to)
	} else {
		KMOVW(from.As32(), to)
	}
}

func (k keySet) min(a, b, to Op) {
	if k.size == 8 {
		VPMINUQ(a, b, to)
	} else {
		VPMINUD(a, b, to)
	}
}

func (k keySet) max(a, b, to Op) {
	if k.size == 8 {
		VPMAXUQ(a, b, to)
	} else {
		VPMAXUD(a, b, to)
	}
}

func (k keySet) minIn(mask, a, b, to Op) {
	if k.size == 8 {
		VPMINUQ(a, b, mask, to)
	} else {
		VPMINUD(a, b, mask, to)
	}
}

func (k keySet) maxIn(mask, a, b, to Op) {
	if k.size == 8 {
		VPMAXUQ(a, b, mask, to)
	} else {
		VPMAXUD(a, b, mask, to)
	}
}

// comparator puts the lesser keys of rows i and j into row i.
func (k keySet) comparator(v []VecVirtual, i, j int) {
	low := ZMM()
	k.min(v[i], v[j], low)
	k.max(v[i], v[j], v[j])
	v[i] = low
}

// sortColumns is Batcher's odd-even merge sort of n rows.
func sortColumns(n int, comparator func(i, j int)) {
	for p := 1; p < n; p *= 2 {
		for d := p; d > 0; d /= 2 {
			for j := d % p; j+d < n; j += 2 * d {
				for i := range d {
					if (i+j)/(2*p) == (i+j+d)/(2*p) {
						comparator(i+j, i+j+d)
					}
				}
			}
		}
	}
}

// mergeColumns sorts n rows that are bitonic.
func mergeColumns(n int, comparator func(i, j int)) {
	for d := n / 2; d > 0; d /= 2 {
		for i := range n {
			if i&d == 0 {
				comparator(i, i+d)
			}
		}
	}
}

// exchange swaps each lane with the one whose index differs in bit d.
func (k keySet) exchange(d int, from, to Op) {
	switch d * k.size {
	case 4:
		VPSHUFD(Imm(0xb1), from, to)
	case 8:
		VPSHUFD(Imm(0x4e), from, to)
	case 16:
		VPERMQ(Imm(0x4e), from, to)
	case 32:
		VSHUFI64X2(Imm(0x4e), from, from, to)
	}
}

// reversals returns what reverses the lanes of each group of 2, 4, 8 or 16.
func (k keySet) reversals() func(group int, from, to Op) {
	orders := map[int]VecVirtual{}
	return func(group int, from, to Op) {
		switch {
		case group == 2:
			k.exchange(1, from, to)
		case group == 4 && k.size == 8:
			VPERMQ(Imm(0x1b), from, to)
		case group == 4:
			VPSHUFD(Imm(0x1b), from, to)
		default:
			if orders[group] == nil {
				order := make([]int, k.lanes)
				for i := range order {
					order[i] = i ^ (group - 1)
				}
				orders[group] = ZMM()
				VMOVDQU64(k.constant(order), orders[group])
			}
			if k.size == 8 {
				VPERMQ(from, orders[group], to)
			} else {
				VPERMD(from, orders[group], to)
			}
		}
	}
}

var constants = map[string]Mem{}

// constant is a register of small numbers in memory.
func (k keySet) constant(lanes []int) Mem {
	name := k.name
	for _, l := range lanes {
		name += fmt.Sprintf("_%d", l)
	}
	if m, known := constants[name]; known {
		return m
	}
	m := GLOBL("lanes"+name, RODATA|NOPTR)
	for i, l := range lanes {
		if k.size == 8 {
			DATA(8*i, U64(l))
		} else {
			DATA(4*i, U32(l))
		}
	}
	constants[name] = m
	return m
}

// transposed brings keys that lie column after column into the order of rows. A stage exchanges a bit of the rows'
// index with one of the lanes'; after the last stage, two registers hold between them the keys of two rows, and are
// told apart.
func (k keySet) transposed(v []VecVirtual) []VecVirtual {
	rows := len(v)
	if rows == 1 {
		return v
	}
	order := make([][]int, rows) // where the key in each place goes
	for row := range order {
		order[row] = make([]int, k.lanes)
		for lane := range order[row] {
			order[row][lane] = lane*rows + row
		}
	}
	top := k.lanes / 2
	if rows >= k.lanes {
		top = 1 // equal bits are exchanged
	} else {
		top = k.lanes / rows // the highest bits of the lanes become those of the rows
	}
	for r := 1; r < min(rows, k.lanes); r *= 2 {
		lane := top * r
		last := 2*r == min(rows, k.lanes)
		done := make([]VecVirtual, rows)
		for i := range v {
			if i&r != 0 {
				continue
			}
			both := slices.Concat(order[i], order[i+r])
			var first, second []int // places among both
			for place := range both {
				if place&lane == 0 {
					first = append(first, place)
				} else {
					second = append(second, place)
				}
			}
			// lanes of the second row take those that the exchange leaves free
			arrange := func(places []int) []int {
				out := make([]int, k.lanes)
				for _, p := range places {
					l := p % k.lanes &^ lane
					if p >= k.lanes {
						l |= lane
					}
					out[l] = p
				}
				return out
			}
			first, second = arrange(first), arrange(second)
			if last {
				byOrder := func(a, b int) int { return both[a] - both[b] }
				slices.SortFunc(first, byOrder)
				slices.SortFunc(second, byOrder)
			}
			done[i], done[i+r] = k.picked(v[i], v[i+r], first), k.picked(v[i], v[i+r], second)
			for l := range k.lanes {
				order[i][l], order[i+r][l] = both[first[l]], both[second[l]]
			}
		}
		v = done
	}
	out := make([]VecVirtual, rows)
	for i, o := range order {
		for l := range o {
			if o[l] != o[0]+l || o[0]%k.lanes != 0 {
				panic(fmt.Sprintf("%s: the transposition of %d rows leaves %v in one", k.name, rows, o))
			}
		}
		out[o[0]/k.lanes] = v[i]
	}
	return out
}

// picked is a register with the given ones of the lanes of two.
func (k keySet) picked(a, b VecVirtual, places []int) VecVirtual {
	r := ZMM()
	VMOVDQU64(k.constant(places), r)
	if k.size == 8 {
		VPERMI2Q(b, a, r)
	} else {
		VPERMI2D(b, a, r)
	}
	return r
}
