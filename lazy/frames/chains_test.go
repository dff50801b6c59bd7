package frames

import (
	"encoding/json"
	"fmt"
	"testing"
)

// pandasStep is one of the things that are done with a table one after the other, as tests/golden/make_frames.py writes
// it.
type pandasStep struct {
	Op, How         string
	Names, Suffixes []string
	Value           any
	From            int `json:"from_"`
	To              int
	Table           []pandasColumn
	Aggregations    [][3]string
}

func (s pandasStep) run(t *testing.T, x *Table) *Table {
	added := func(of func(*Column) any) *Table { return x.With(s.Names[1], of(x.Column(s.Names[0]))) }
	switch s.Op {
	case "where":
		a := x.Column(s.Names[0])
		other := s.Value
		if len(s.Names) > 1 {
			other = x.Column(s.Names[1])
		} else if v, is := other.(float64); is && a.DType().IsInt() {
			other = int(v)
		}
		f := map[string]func(any) *Column{"Eq": a.Eq, "Ne": a.Ne, "Lt": a.Lt, "Le": a.Le, "Gt": a.Gt, "Ge": a.Ge}[s.How]
		return x.Where(f(other))
	case "contains":
		return x.Where(x.Column(s.Names[0]).Contains(s.How))
	case "logic":
		return x.Where(x.Column(s.Names[0]).Or(x.Column(s.Names[1]).Not()))
	case "group":
		return x.GroupBy(s.Names...).Agg(aggregations(s.Aggregations)...)
	case "sort":
		return x.Sort(s.Names...)
	case "join":
		kind := map[string]JoinKind{"inner": Inner, "left": Left, "right": Right, "outer": Outer}[s.How]
		return x.Join(ofPandas(t, s.Table), On(s.Names...), kind, Suffixes(s.Suffixes[0], s.Suffixes[1]))
	case "unique":
		return x.Unique(s.Names...)
	case "drop":
		return x.DropMissing(s.Names...)
	case "rename":
		return x.Rename(s.Names[0], s.Names[1])
	case "select":
		return x.Select(s.Names...)
	case "rows":
		return x.Rows(s.From, s.To)
	case "lower":
		return added(func(c *Column) any { return c.Lower() })
	case "length":
		return added(func(c *Column) any { return c.Length() })
	case "compute":
		return added(func(*Column) any { return x.Col(s.Names[0]).Mul(2).Add(1) })
	case "part":
		return added(func(c *Column) any {
			return map[string]func() *Column{"Year": c.Year, "Month": c.Month, "Day": c.Day, "Hour": c.Hour, "Quarter": c.Quarter}[s.How]()
		})
	}
	panic(s.Op)
}

// String is the step as it was written.
func (s pandasStep) String() string {
	text, _ := json.Marshal(s)
	return fmt.Sprintf("%.300s", text)
}
