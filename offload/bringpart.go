package offload

import (
	"context"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// bringPart copies what of a part of v is not there to d, where kernels on s will read it, and returns the copy and the
// address at which v would begin. What lies around the part may be anything.
func (rt *Runtime) bringPart(ctx context.Context, d device.Device, s device.Stream, v *Value, p Stretch, rec *recorder) (*resident, uint64, error) {
	n := p.Hi - p.Lo
	view := partition.View{Offset: p.Lo, Shape: []int{n}, Strides: []int{1}}
	part := partition.Whole(view.Shape)
	need := needs(v, Field{Shape: []int{v.size / p.Unit}, Bytes: p.Unit, Views: []partition.View{view}}, part, &Cut{})[0]
	r, err := rt.tileFor(ctx, d, need, rec)
	if err != nil {
		return nil, 0, err
	}
	if err := rt.fill(ctx, r, s, way{}, v, need.missing(r), rec); err != nil {
		return nil, 0, err
	}
	r.ready(s)
	return r, r.block.Addr() + uint64((r.at(view, part).Offset-p.Lo)*p.Unit), nil
}
