package trace

// Spaces is which memories a launch uses: what lives where, how large it is, and for how long.
type Spaces struct {
	Kernel, Device string
	Grid, Block    [3]int
	List           []Space // the nearest to a thread first
}

// Space is one thing that lives in a memory of a launch.
type Space struct {
	Memory string // "registers", "local", "shared", "constant", "global", "managed"
	Name   string
	Bytes  int64 // of one
	Copies int64 // how many there are, one for each of Per
	Per    string
	Life   Life
	Note   string // where it lies, and who can use it
}

// Life is how long something in a memory lives.
type Life int

// From the shortest life to the longest.
const (
	ThreadLife  Life = iota // as long as its thread
	BlockLife               // as long as its block
	LaunchLife              // as long as the launch
	ProgramLife             // until the program ends, or frees it
)

var lifeNames = [...]string{"its thread", "its block", "the launch", "the program"}

// String says as long as what the thing lives.
func (l Life) String() string { return lifeNames[l] }
