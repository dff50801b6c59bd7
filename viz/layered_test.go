package viz

import (
	"math/rand/v2"
	"testing"
)

// Random graphs: nothing overlaps, every edge leads downwards from box to box, and lines pass between the boxes.
func TestLayeredKeepsBoxesApart(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(20)
		nodes := make([]layeredNode, n)
		for i := range nodes {
			nodes[i] = layeredNode{w: 20 + 100*r.Float64(), h: 10 + 50*r.Float64()}
		}
		var edges [][2]int
		for j := 1; j < n; j++ {
			for range r.IntN(3) {
				edges = append(edges, [2]int{r.IntN(j), j})
			}
		}
		routes, w, h := layered(nodes, edges, 10, 30)
		for i, a := range nodes {
			if a.x-a.w/2 < -1e-6 || a.x+a.w/2 > w+1e-6 || a.y < -1e-6 || a.y+a.h > h+1e-6 {
				t.Fatalf("seed %d: box %d lies outside %v × %v: %+v", seed, i, w, h, a)
			}
			for j, b := range nodes[:i] {
				if a.x-a.w/2 < b.x+b.w/2-1e-6 && b.x-b.w/2 < a.x+a.w/2-1e-6 && a.y < b.y+b.h-1e-6 && b.y < a.y+a.h-1e-6 {
					t.Fatalf("seed %d: boxes %d and %d overlap", seed, i, j)
				}
			}
		}
		for k, e := range edges {
			pts := routes[k]
			from, to := nodes[e[0]], nodes[e[1]]
			if pts[0] != [2]float64{from.x, from.y + from.h} || pts[len(pts)-1] != [2]float64{to.x, to.y} {
				t.Fatalf("seed %d: edge %v goes from %v to %v", seed, e, pts[0], pts[len(pts)-1])
			}
			for i := 1; i < len(pts); i++ {
				if pts[i][1] < pts[i-1][1] {
					t.Fatalf("seed %d: edge %v goes up", seed, e)
				}
				for b, box := range nodes {
					for k := range 21 {
						f := float64(k) / 20
						x, y := pts[i-1][0]*(1-f)+pts[i][0]*f, pts[i-1][1]*(1-f)+pts[i][1]*f
						if x > box.x-box.w/2+1e-6 && x < box.x+box.w/2-1e-6 && y > box.y+1e-6 && y < box.y+box.h-1e-6 {
							t.Fatalf("seed %d: edge %v goes through box %d", seed, e, b)
						}
					}
				}
			}
		}
	}
}
