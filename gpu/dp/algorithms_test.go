package dp_test

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/dp"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/cm"
)

// The sample of the paper, calculated by the table as corrected; 32 characters take 5 rounds.
func TestLexerOfThePaper(t *testing.T) {
	use(t)
	for _, m := range machines {
		np.Use(m)
		x := dp.Lex(`if x <= n then print("x = ", x);`, dp.HillisSteeleTable)
		require.Equal(t, "AZ.A.<=.A.AZZZ.AZZZZ*QSSSSE*.A**", strings.ReplaceAll(x.States, "N", "."), m)
		require.Equal(t, []string{"if", "x", "<=", "n", "then", "print", "(", `"x = "`, ",", "x", ")", ";"}, x.Tokens)
		require.Equal(t, 5, len(dp.Steps(x).Steps[1].Active))
	}
	require.Equal(t, "QSESSE<=<=A", dp.Lex(`"a""b"<=<=x`, dp.HillisSteeleTable).States)
	require.Equal(t, `"\"ab\"" "cd"`, dp.Lex(`"ab"cd`, dp.HillisSteeleTable).String())
	require.Empty(t, dp.Lex("", dp.HillisSteeleTable).Tokens)
	require.Contains(t, message(func() { dp.Lex("a\n#", dp.HillisSteeleTable) }), "the table has no row for '#', character 2 of the text, in line 2")
	require.Contains(t, message(func() { dp.Lex("a", &dp.Table{States: "AB", Rows: []dp.Row{{"a", "AC"}}}) }), "names state 'C'")
	require.Contains(t, message(func() { dp.Lex("a", &dp.Table{States: "AB", Rows: []dp.Row{{"a", "A"}}}) }), "row 0 says what follows 1 states; there are 2")
	require.Contains(t, message(func() { dp.Lex("a", nil) }), "1 to 16 states")
}

// Texts at random are what an automaton makes of them, character by character.
func TestLexerIsAnAutomaton(t *testing.T) {
	use(t)
	table := dp.HillisSteeleTable
	for range 20 {
		text := make([]byte, rand.IntN(300))
		for i := range text {
			text[i] = `ab+<=" >x`[rand.IntN(9)]
		}
		want, s := []byte{}, 0
		for _, c := range text {
			for _, r := range table.Rows {
				if strings.IndexByte(r.Characters, c) >= 0 {
					s = strings.IndexByte(table.States, r.Next[s])
					break
				}
			}
			want = append(want, table.States[s])
		}
		require.Equal(t, string(want), dp.Lex(string(text), table).States, "%q", text)
	}
}

// Free and selected processors of section 3.5.
func TestProcessorCons(t *testing.T) {
	use(t)
	for _, m := range []string{"host", machines[1]} {
		np.Use(m)
		p := dp.PoolOf([]int{0, 1, 1, 0, 1, 0, 0, 1})
		require.Equal(t, "[ 1 -1 -1  2 -1  4 -1 -1]", p.Cons([]int{1, 0, 0, 1, 0, 1, 0, 0}).String(), m)
		require.Equal(t, "[7]", np.NonZero(p.IsFree())[0].String())
		p = dp.PoolOf([]int{0, 1, 0, 0, 0, 0, 0, 1})
		require.Equal(t, "[ 1 -1 -1  7 -1 -1 -1 -1]", p.Cons([]int{1, 0, 0, 1, 0, 1, 0, 0}).String())
		require.Zero(t, p.Free())
		require.Equal(t, "[-1]", p.Cons([]int{1}).String())
		p.Release([]int{7, -1, 1})
		require.Equal(t, 2, p.Free())
	}
	p := dp.NewPool(6)
	p.Cons([]bool{true, true, true, true, true})
	left, right := []int{1, -1, -1, 4, -1, -1}, []int{2, 2, -1, -1, 3, -1} // 0 has 1 and 2, 3 and 4 each other
	require.Equal(t, "[0 1 2 1 1 0]", p.References(left, right).String())
	require.Equal(t, 2, p.Collect([]int{0}, left, right))
	require.Equal(t, "[3 4 5]", np.NonZero(p.IsFree())[0].String())
	require.Contains(t, message(func() { p.Release([]int{3}) }), "processor 3 is free already")
	require.Contains(t, message(func() { p.Release([]int{1, 1}) }), "processor 1 is given back twice")
	require.Contains(t, message(func() { p.Release([]int{9}) }), "place 9; places go from 0 to 5")
}

// listsOf makes lists of those lengths, of cells in random order, and says where they begin.
func listsOf(lengths ...int) (next []int, lists [][]int) {
	n := 0
	for _, k := range lengths {
		n += k
	}
	next = make([]int, n)
	cells := rand.Perm(n)
	for _, k := range lengths {
		list := cells[:k]
		cells = cells[k:]
		for i, c := range list {
			next[c] = -1
			if i+1 < k {
				next[c] = list[i+1]
			}
		}
		lists = append(lists, list)
	}
	return next, lists
}

// Lists at random are what a walk along them finds.
func TestListsAreWalks(t *testing.T) {
	use(t)
	for k, m := range []string{"host", machines[3], machines[1]} {
		if k == 2 && testsize.Short() {
			break
		}
		np.Use(m)
		next, lists := listsOf([][]int{{1, 2, 17, 5, 60}, {7, 3}, {16, 3}}[k]...)
		n := len(next)
		values := rand.Perm(n)
		end, sum, first := make([]int, n), make([]int, n), make([]int, n)
		up := make([]int, n)
		for _, list := range lists {
			for i, c := range list {
				end[c] = list[len(list)-1]
				sum[c], first[c] = values[c], values[list[0]]
				if i > 0 {
					sum[c] += sum[list[i-1]]
				}
			}
			end[list[len(list)-1]] = -1
		}
		require.Equal(t, end, dp.ListEnd(next).Ints(), m)
		require.Equal(t, sum, dp.ListScan(dp.Sum, next, values).Ints(), m)
		require.Equal(t, first, dp.ListScan(dp.Any, next, values).Ints(), m) // which keeps the first: not commutative
		a, b := lists[len(lists)-1], lists[0]
		friends := dp.ListMatch(next, a[0], b[0])
		both := np.Add(values, np.Where(friends.GreaterEqual(0), dp.Get(values, np.Maximum(friends, 0)), 0)).Ints() // vectors that are lists
		for i, c := range a {
			want := values[c]
			if i < len(b) {
				want += values[b[i]]
			}
			require.Equal(t, want, both[c])
		}
		tree := dp.ListTree(next)
		parent, left, right := tree.Parent.Ints(), tree.Left.Ints(), tree.Right.Ints()
		whole, chain := tree.Up(dp.Sum, values).Ints(), tree.Down(dp.Any, values).Ints()
		for _, list := range lists {
			var walk func(c, depth int) []int
			walk = func(c, depth int) []int {
				if c < 0 {
					return nil
				}
				require.LessOrEqual(t, depth, bits.Len(uint(len(list))))
				for _, child := range []int{left[c], right[c]} {
					if child >= 0 {
						require.Equal(t, c, parent[child])
					}
				}
				in := append(append(walk(left[c], depth+1), c), walk(right[c], depth+1)...)
				up[c] = 0
				for _, d := range in {
					up[c] += values[d]
				}
				return in
			}
			root := list[0]
			for parent[root] >= 0 {
				root = parent[root]
			}
			require.Equal(t, list, walk(root, 1), "the tree is in the order of its list")
			for _, c := range list {
				require.Equal(t, up[c], whole[c])
				require.Equal(t, values[root], chain[c])
			}
		}
	}
}

// Rounds of section 3.6: ceil(log2(n-1)) to the end of a list of n cells, ceil(log2 n) of the others, whose messages at
// 16 cells are those of the scan of an array.
func TestRoundsOfLists(t *testing.T) {
	testsize.InTurn(t, 1)
	use(t)
	sends := func(x any) int { return dp.Steps(x).Count(cm.Send) }
	for n, want := range map[int]int{1000: 10, 65536: 16, 2: 0, 1: 0, 3: 1} {
		next, _ := listsOf(n)
		require.Equal(t, want, sends(dp.ListEnd(next)), n)
	}
	next, lists := listsOf(16)
	s := dp.ListScan(dp.Sum, next, next)
	require.Equal(t, 4, sends(s))
	require.Equal(t, 49, dp.Steps(s).Messages())
	require.Equal(t, 49, dp.Steps(dp.Scan(dp.Sum, next)).Messages())
	m := dp.ListMatch(next, lists[0][0], lists[0][0])
	require.Equal(t, 4, sends(m))
	require.Equal(t, 49, dp.Steps(m).Messages())
	next, lists = listsOf(3, 20) // surplus cells have no friend, and of lists that are told from one side the other has none
	f := dp.ListMatch(next, lists[0][0], lists[1][0])
	require.Equal(t, 5, sends(f))
	require.Equal(t, []int{lists[0][2], -1}, []int{f.At(lists[1][2]).Int(), f.At(lists[1][3]).Int()})
	friend := np.Full(-1, 23).AsType(np.Int64)
	friend.Set(lists[1][0], lists[0][0])
	f = dp.ListMatchFrom(next, friend)
	require.Equal(t, []int{lists[1][2], -1}, []int{f.At(lists[0][2]).Int(), f.At(lists[1][2]).Int()})
	for want, call := range map[string]func(){
		"the list is cyclic: from cell":             func() { dp.ListEnd([]int{1, 2, 0, 0}) },
		"comes back to cell":                        func() { dp.ListScan(dp.Sum, []int{1, 2, 0, -1}, []int{1, 1, 1, 1}) },
		"cells 0 and 1 are both followed by cell 2": func() { dp.ListMatch([]int{2, 2, -1}, 0, 1) },
		"cell 1 is followed by 5; cells go from 0":  func() { dp.ListEnd([]int{-1, 5}) },
		"there is no cell 3":                        func() { dp.ListMatch([]int{-1, -1}, 0, 3) },
		"values have shape [1] for 2 cells":         func() { dp.ListScan(dp.Sum, []int{-1, -1}, []int{1}) },
	} {
		require.Contains(t, message(call), want)
	}
	require.Equal(t, "[]", dp.ListEnd([]int{}).String())
	require.Zero(t, dp.ListTree([]int{}).Level.Size())
}

// flooded labels by a flood from the largest place of each region.
func flooded(img [][]int) []int {
	h, w := len(img), len(img[0])
	label := make([]int, h*w)
	for p := range label {
		label[p] = -1
	}
	for p := h*w - 1; p >= 0; p-- {
		if label[p] >= 0 {
			continue
		}
		todo := []int{p}
		label[p] = p
		for len(todo) > 0 {
			q := todo[0]
			todo = todo[1:]
			for _, s := range [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
				x, y := q%w+s[0], q/w+s[1]
				if x >= 0 && y >= 0 && x < w && y < h && label[y*w+x] < 0 && img[y][x] == img[q/w][q%w] {
					label[y*w+x] = p
					todo = append(todo, y*w+x)
				}
			}
		}
	}
	return label
}

// image makes an image of a function of its places.
func image(h, w int, of func(x, y int) int) [][]int {
	out := make([][]int, h)
	for y := range out {
		out[y] = make([]int, w)
		for x := range out[y] {
			out[y][x] = of(x, y)
		}
	}
	return out
}

// serpentine is a way of one pixel's width that goes there and back between walls.
func serpentine(n int) [][]int {
	return image(n, n, func(x, y int) int {
		if y%2 == 0 || y%4 == 1 && x == n-1 || y%4 == 3 && x == 0 {
			return 1
		}
		return 0
	})
}

func TestLabelsAreFloods(t *testing.T) {
	testsize.InTurn(t, 0)
	use(t)
	for k := range 24 {
		np.Use("host")
		if k < 2 {
			np.Use(machines[1+2*k])
		}
		values := 1 + k%3
		img := image(1+rand.IntN(12), 1+rand.IntN(12), func(x, y int) int { return rand.IntN(values + 1) })
		require.Equal(t, flooded(img), dp.Label(img, dp.Rings).Reshape(-1).Ints(), "%v", img)
		require.Equal(t, flooded(img), dp.Label(img, dp.Naive).Reshape(-1).Ints(), "%v", img)
	}
	holes := image(11, 11, func(x, y int) int { return min(x, y, 10-x, 10-y) % 2 })
	require.Equal(t, flooded(holes), dp.Label(holes).Reshape(-1).Ints())
	require.Equal(t, "[]", dp.Label(np.Zeros(0, 3)).Reshape(-1).String())
	require.Contains(t, message(func() { dp.Label([]int{1}) }), "give two axes")
}

// Rounds of section 3.7, calculated for these images: by rings ceil(log2 of all cracks).
func TestRoundsOfLabels(t *testing.T) {
	use(t)
	np.Use("host")
	around := func(x any) (n int) {
		for _, s := range dp.Steps(x).Steps {
			if s.Name == "around rings" {
				n++
			}
		}
		return n
	}
	concentric := image(16, 16, func(x, y int) int { return min(x, y, 15-x, 15-y) })
	for _, c := range []struct {
		name         string
		img          [][]int
		naive, rings int
	}{
		{"serpentine of 15", serpentine(15), 113, 9}, {"serpentine of 31", serpentine(31), 481, 11},
		{"uniform", image(16, 16, func(x, y int) int { return 7 }), 31, 6}, {"concentric", concentric, 31, 9},
	} {
		naive := dp.Label(c.img, dp.Naive)
		require.Equal(t, c.naive, dp.Steps(naive).Rounds(), c.name)
		rings := dp.Label(c.img, dp.Rings)
		require.Equal(t, c.rings, around(rings), c.name)
		require.Equal(t, naive.Reshape(-1).Ints(), rings.Reshape(-1).Ints(), c.name)
	}
	require.Equal(t, 8, np.Unique(dp.Label(concentric)).Size())
}

func TestChains(t *testing.T) {
	use(t)
	for _, m := range []string{"host", machines[3]} {
		np.Use(m)
		ms := make([]int64, 16*9)
		for i := range ms {
			ms[i] = rand.Int64N(7) - 3
		}
		chain := dp.MatrixChain(np.FromSlice(ms).Reshape(16, 3, 3))
		require.Equal(t, []int{15, 14, 12, 8}, dp.Steps(chain).Active())
		want := append([]int64{}, ms...)
		for k := 1; k < 16; k++ {
			for i := range 3 {
				for j := range 3 {
					var sum int64
					for l := range 3 {
						sum += want[9*(k-1)+3*i+l] * ms[9*k+3*l+j]
					}
					want[9*k+3*i+j] = sum
				}
			}
		}
		require.Equal(t, np.FromSlice(want).String(), chain.Reshape(-1).String())
		a, b := "9"+strings.Repeat("8", 60)+strings.Repeat("9", 39), fmt.Sprint(rand.Uint64())
		x, _ := new(big.Int).SetString(a, 10)
		y, _ := new(big.Int).SetString(b, 10)
		require.Equal(t, x.Add(x, y).String(), dp.AddDecimal(a, b), m)
	}
	digits := make([]int, 100)
	require.Len(t, dp.Steps(dp.AddDigits(digits, digits, 10)).Steps[2].Active, 7)
	require.Equal(t, "1000", dp.AddDecimal("999", "1"))
	require.Equal(t, "0", dp.AddDecimal("0", "00"))
	require.Contains(t, message(func() { dp.AddDigits([]int{10}, []int{1}, 10) }), "digit 0 is 10; to base 10")
	require.Contains(t, message(func() { dp.MatrixChain([]int{1}) }), "give [n k k]")
}
