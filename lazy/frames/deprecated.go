package frames

// The methods of earlier releases that had other words than those of arrays. They go with the release after the next.

// Eq is Equal.
//
// Deprecated: use [Column.Equal].
func (c *Column) Eq(v any) *Column { return c.Equal(v) }

// Ne is NotEqual.
//
// Deprecated: use [Column.NotEqual].
func (c *Column) Ne(v any) *Column { return c.NotEqual(v) }

// Lt is Less.
//
// Deprecated: use [Column.Less].
func (c *Column) Lt(v any) *Column { return c.Less(v) }

// Le is LessEqual.
//
// Deprecated: use [Column.LessEqual].
func (c *Column) Le(v any) *Column { return c.LessEqual(v) }

// Gt is Greater.
//
// Deprecated: use [Column.Greater].
func (c *Column) Gt(v any) *Column { return c.Greater(v) }

// Ge is GreaterEqual.
//
// Deprecated: use [Column.GreaterEqual].
func (c *Column) Ge(v any) *Column { return c.GreaterEqual(v) }

// And is LogicalAnd.
//
// Deprecated: use [Column.LogicalAnd].
func (c *Column) And(v any) *Column { return c.LogicalAnd(v) }

// Or is LogicalOr.
//
// Deprecated: use [Column.LogicalOr].
func (c *Column) Or(v any) *Column { return c.LogicalOr(v) }

// Not is LogicalNot.
//
// Deprecated: use [Column.LogicalNot].
func (c *Column) Not() *Column { return c.LogicalNot() }
