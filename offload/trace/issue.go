package trace

// Issue is an instruction that a scheduler issued. Bit i of Lanes is lane i of the hardware.
type Issue struct {
	Block int32 // index of its block in the grid; of threads of several warps -1
	Warp  int32 // number of the warp in its block; of threads of several warps -1
	Line  int32 // number of its line in Detail.Lines; -1 where no lane executes it
	Lanes uint64
	Unit  IssueUnit
	Busy  int32 // cycles of the scheduler for which the unit takes no other instruction
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
