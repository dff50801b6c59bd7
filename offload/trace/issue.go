package trace

// Issue is an instruction that a warp issued.
type Issue struct {
	Cycle int32 // of the schedulers, from the start of the launch
	Block int32
	Line  int32 // of Detail.Lines
	Warp  int16 // in its block
	Busy  uint16
	Unit  IssueUnit
}

// IssueUnit is what executes an instruction, for Busy cycles.
type IssueUnit uint8

// The units.
const (
	IssueLanes       IssueUnit = iota // the lanes: float32 and integers
	IssueSpecial                      // the special function units
	IssueMultipliers                  // the multipliers of those units, for products of float32
	IssueDouble                       // the units of float64
	IssueMemory                       // loads and stores
	IssueControl                      // branches, barriers, exits
	NumIssueUnits
)

var issueUnitNames = [NumIssueUnits]string{"lanes", "SFU", "multipliers", "float64", "memory", "control"}

// String returns the unit's name as charts show it.
func (u IssueUnit) String() string { return issueUnitNames[u] }
