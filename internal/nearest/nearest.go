// Package nearest finds the name that was probably meant. It is a leaf.
package nearest

import "strings"

// Distance is how many characters must be added, taken away, changed or swapped with their neighbour to make b of a
// (the optimal string alignment distance), in bytes.
func Distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, now := rows[(i+2)%3], rows[i%3], rows[(i+1)%3]
		now[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
		}
	}
	return rows[(len(a)+1)%3][len(b)]
}

// longest is how long names are compared; longer ones were hardly typed.
const longest = 100

// Name returns the one of names that differs least from name, capitals and blanks around it aside, the first of
// several; "" where all differ much.
func Name(name string, names []string) string {
	plain := func(s string) string { return strings.ToLower(strings.TrimSpace(s)) }
	wanted, best, least := plain(name), "", 0
	if len(wanted) > longest {
		return ""
	}
	for _, n := range names {
		p := plain(n)
		if len(p) > longest {
			continue
		}
		far := Distance(wanted, p)
		long := max(len(wanted), len(p))
		near := far <= 2 && far < long || 3*far <= long || len(wanted) > 1 && strings.HasPrefix(p, wanted)
		if near && (best == "" || far < least) {
			best, least = n, far
		}
	}
	return best
}
