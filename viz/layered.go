package viz

import (
	"math"
	"slices"
	"sort"
)

// layeredNode is a box of a layered drawing; place fills in X, the middle, and Y, the top.
type layeredNode struct {
	w, h  float64
	x, y  float64
	layer int
}

// layered places the nodes of a graph without cycles in layers from top to bottom, each below those that lead to it,
// and returns for each edge (from, to) the points that it goes through. It is the method of K. Sugiyama, S. Tagawa and
// M. Toda (1981): layers by longest paths, waypoints where edges pass a layer, an order within layers by barycentres,
// then positions near those of the neighbours. Every edge must lead from a lower to a higher number.
func layered(nodes []layeredNode, edges [][2]int, gapX, gapY float64) (routes [][][2]float64, w, h float64) {
	n := len(nodes)
	for _, e := range byStart(edges) {
		nodes[e[1]].layer = max(nodes[e[1]].layer, nodes[e[0]].layer+1)
	}
	first := make([]int, n) // of the layers that a node leads to
	last := 0
	for i := range nodes {
		first[i] = math.MaxInt
		last = max(last, nodes[i].layer)
	}
	into := make([]int, n)
	for _, e := range edges {
		first[e[0]] = min(first[e[0]], nodes[e[1]].layer)
		into[e[1]]++
	}
	for i := range nodes { // what nothing leads to stands just above where it is used
		if into[i] == 0 && first[i] != math.MaxInt {
			nodes[i].layer = first[i] - 1
		}
	}

	all := append([]layeredNode(nil), nodes...) // and waypoints
	var parts [][2]int
	chains := make([][]int, len(edges))
	for k, e := range edges {
		at := e[0]
		chains[k] = []int{at}
		for l := nodes[e[0]].layer + 1; l < nodes[e[1]].layer; l++ {
			all = append(all, layeredNode{w: 8, layer: l})
			parts = append(parts, [2]int{at, len(all) - 1})
			at = len(all) - 1
			chains[k] = append(chains[k], at)
		}
		parts = append(parts, [2]int{at, e[1]})
		chains[k] = append(chains[k], e[1])
	}
	layers := make([][]int, last+1)
	for i := range all {
		layers[all[i].layer] = append(layers[all[i].layer], i)
	}
	up, down := make([][]int, len(all)), make([][]int, len(all))
	for _, p := range parts {
		up[p[1]], down[p[0]] = append(up[p[1]], p[0]), append(down[p[0]], p[1])
	}

	rank := make([]float64, len(all))
	number := func(layer []int) {
		for i, v := range layer {
			rank[v] = float64(i)
		}
	}
	for _, l := range layers {
		number(l)
	}
	const sweeps = 8
	for s := range sweeps {
		order, neighbours := slices.Clone(layers), up
		if s%2 == 1 {
			slices.Reverse(order)
			neighbours = down
		}
		for _, l := range order {
			key := make(map[int]float64, len(l))
			for _, v := range l {
				key[v] = meanOf(neighbours[v], rank, rank[v])
			}
			sort.SliceStable(l, func(i, j int) bool { return key[l[i]] < key[l[j]] })
			number(l)
		}
	}

	x := make([]float64, len(all))
	for _, l := range layers {
		at := 0.0
		for _, v := range l {
			x[v] = at + all[v].w/2
			at += all[v].w + gapX
		}
	}
	const rounds = 12
	for r := range rounds {
		order, neighbours := slices.Clone(layers), up
		if r%2 == 1 {
			slices.Reverse(order)
			neighbours = down
		}
		for _, l := range order {
			want := make([]float64, len(l))
			for i, v := range l {
				want[i] = meanOf(neighbours[v], x, x[v])
			}
			off := 0.0
			for i, v := range l {
				x[v] = want[i]
				if i > 0 {
					b := l[i-1]
					x[v] = max(want[i], x[b]+(all[b].w+all[v].w)/2+gapX)
				}
				off += (want[i] - x[v]) / float64(len(l))
			}
			for _, v := range l {
				x[v] += off
			}
		}
	}

	left, bottom := math.Inf(1), make([]float64, len(all))
	for i := range all {
		left = min(left, x[i]-all[i].w/2)
	}
	for _, l := range layers {
		tall := 0.0
		for _, v := range l {
			tall = max(tall, all[v].h)
		}
		for _, v := range l {
			all[v].x, all[v].y = x[v]-left, h
			if v >= n {
				all[v].h = tall // an edge passes the whole layer
			}
			bottom[v] = h + tall
			w = max(w, all[v].x+all[v].w/2)
		}
		h += tall + gapY
	}
	copy(nodes, all[:n])
	for _, c := range chains {
		var pts [][2]float64
		for i, v := range c {
			a := all[v]
			if i > 0 {
				pts = append(pts, [2]float64{a.x, a.y})
			}
			if i < len(c)-1 {
				pts = append(pts, [2]float64{a.x, a.y + a.h})
				if bottom[v] > a.y+a.h { // past the higher boxes of its layer before it turns aside
					pts = append(pts, [2]float64{a.x, bottom[v]})
				}
			}
		}
		routes = append(routes, pts)
	}
	return routes, w, h - gapY
}

// byStart returns the edges so that each comes after all that lead to its start.
func byStart(edges [][2]int) [][2]int {
	out := slices.Clone(edges)
	sort.SliceStable(out, func(i, j int) bool { return out[i][0] < out[j][0] })
	return out
}

// meanOf is the mean of the values of some, or otherwise when there are none.
func meanOf(some []int, values []float64, otherwise float64) float64 {
	if len(some) == 0 {
		return otherwise
	}
	sum := 0.0
	for _, v := range some {
		sum += values[v]
	}
	return sum / float64(len(some))
}
