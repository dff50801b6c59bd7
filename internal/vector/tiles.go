package vector

// TileRows is the number of rows of c that a tile has; its columns fill two registers: 8 float64 or 16 float32.
const TileRows = 4

// A tile adds to c, 4 rows stride elements apart, k products each: a has k steps of 4 rows, b has k steps of the tile's columns.
// Every product and sum rounds for itself, in the order of the steps. k is at least 1.

// TileFloat64 returns the loop for tiles of 4 x 8 float64, nil where the processor has none.
func TileFloat64() func(k int, a, b, c *float64, stride int) { return tileFloat64() }

// TileFloat32 returns the loop for tiles of 4 x 16 float32, nil where the processor has none.
func TileFloat32() func(k int, a, b, c *float32, stride int) { return tileFloat32() }
