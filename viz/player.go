package viz

// player is what a live chart can be stepped through: a cursor on the horizontal axis of all panels, what lies after it
// covered, and a line of words. Step i lies from i to i+1 on the axis.
type player struct {
	Lines  []string `json:"lines"` // of code
	Steps  []played `json:"steps"`
	Lanes  int      `json:"lanes"`            // of a warp
	Tables []string `json:"tables,omitempty"` // by step, where steps are states: the whole state, below the slider
}

// played is one step: a line of code, and how many lanes of those that are there execute it.
type played struct {
	Line   int `json:"l"`
	Active int `json:"a"`
	Live   int `json:"n"`
}
