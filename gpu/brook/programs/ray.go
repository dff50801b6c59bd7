package programs

import (
	"math"

	"github.com/arrayrepl/arrayrepl/gpu/brook"
)

// Triangle has three corners.
type Triangle struct{ V0, V1, V2 brook.F3 }

// Ray begins at O, and goes along D.
type Ray struct {
	O, D brook.F3
	TMax float32
}

// Hit is where a ray meets a triangle: at a distance, at u and v within it, and which; -1 for none.
type Hit struct{ T, U, V, Index float32 }

// Active is the state of a ray that looks for a triangle.
const Active = 1

// Trace makes a picture of h by w pixels, a stream of [brook.F3], of triangles, of which a ray looks at those in list,
// up to the first that is negative: by kernels that set rays up, intersect them and shade what they have met.
func (p *Programs) Trace(h, w int, tris []Triangle, list []int32) *brook.Stream {
	rays := p.Map(p.Kernel("Setup", Setup), brook.Iter(brook.F2{X: -1, Y: 1}, brook.F2{X: 1, Y: -1}, h, w))
	hits := p.Intersect(rays, tris, brook.Of([]int32{Active}).Reshape(1, 1), list)
	return p.Map(p.Kernel("Shade", Shade), hits, rays, tris)
}

// Intersect is where rays meet triangles, a stream of [Hit].
func (p *Programs) Intersect(rays, tris, states, list any) *brook.Stream {
	return p.Map(p.Kernel("Intersect", Intersect), rays, tris, states, list)
}

// Setup makes the ray of a pixel: from an eye through the window that goes from -1 to 1.
func Setup(at brook.F2) (r Ray) {
	d := brook.F3{X: at.X, Y: at.Y, Z: 1.6}
	return Ray{brook.F3{Y: 0.6, Z: -4}, d.Scale(1 / d.Length()), 100}
}

// Intersect is Moeller's and Trumbore's test of the triangles that list has. A ray whose state is not [Active] meets
// none: (0, 0, 0, -1).
func Intersect(r Ray, tris brook.Gather[Triangle], state int32, list brook.Gather[int32]) (h Hit) {
	h = Hit{0, 0, 0, -1}
	if state != Active {
		return h
	}
	nearest := r.TMax
	for k := 0; k < list.Len() && list.At(k) >= 0; k++ {
		n := list.At(k)
		t := tris.At(int(n))
		e1, e2 := t.V1.Sub(t.V0), t.V2.Sub(t.V0)
		p := r.D.Cross(e2)
		det := e1.Dot(p)
		if det == 0 {
			continue
		}
		tv := r.O.Sub(t.V0)
		q := tv.Cross(e1)
		u, v, at := tv.Dot(p)/det, r.D.Dot(q)/det, e2.Dot(q)/det
		if u >= 0 && v >= 0 && u+v <= 1 && at > 0 && at < nearest {
			nearest = at
			h = Hit{at, u, v, float32(n)}
		}
	}
	return h
}

// Shade is the colour of a pixel: the brighter the more a triangle faces the light, and a sky where there is none.
func Shade(h Hit, r Ray, tris brook.Gather[Triangle]) (colour brook.F3) {
	if h.Index < 0 {
		return brook.F3{X: 0.55, Y: 0.7, Z: 0.9}.Scale(0.6 + 0.4*r.D.Y)
	}
	t := tris.At(int(h.Index))
	n := t.V1.Sub(t.V0).Cross(t.V2.Sub(t.V0))
	n = n.Scale(1 / n.Length())
	if n.Dot(r.D) > 0 {
		n = n.Scale(-1)
	}
	light := max(n.Dot(brook.F3{X: 0.48, Y: 0.6, Z: -0.64}), 0)
	colour = brook.F3{X: 0.9, Y: 0.45, Z: 0.25}
	if n.Y > 0.99 {
		colour = brook.F3{X: 0.5, Y: 0.6, Z: 0.5}
	}
	return colour.Scale(0.15 + 0.85*light)
}

// Scene is a ball of triangles, parts by 2 parts of them twice, above a floor of two; and the list of all.
func Scene(parts int) (tris []Triangle, list []int32) {
	at := func(i, k int) brook.F3 {
		a, b := math.Pi*float64(i)/float64(parts), math.Pi*float64(k)/float64(parts)
		return brook.F3{X: float32(math.Sin(a) * math.Cos(b)), Y: float32(0.4 + math.Cos(a)), Z: float32(math.Sin(a) * math.Sin(b))}
	}
	for i := range parts {
		for k := range 2 * parts {
			a, b, c, d := at(i, k), at(i, k+1), at(i+1, k), at(i+1, k+1)
			if i > 0 {
				tris = append(tris, Triangle{a, b, d})
			}
			if i < parts-1 {
				tris = append(tris, Triangle{a, d, c})
			}
		}
	}
	const y, far = -0.65, 6
	a, b, c, d := brook.F3{X: -far, Y: y, Z: -far}, brook.F3{X: far, Y: y, Z: -far}, brook.F3{X: -far, Y: y, Z: far}, brook.F3{X: far, Y: y, Z: far}
	tris = append(tris, Triangle{a, b, c}, Triangle{b, d, c})
	for k := range tris {
		list = append(list, int32(k))
	}
	return tris, list
}
