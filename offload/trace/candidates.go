package trace

// Choice is what a placement policy chose among for a launch, and what it chose.
type Choice struct {
	Step      string // the launch
	Number    int    // of the step, as Explain counts them
	Policy    string
	Threshold float64 // what part of the arguments' bytes a device must have to be considered; 0 where the policy has none
	Chosen    string  // a device
	Devices   []Candidate
}

// Candidate is a device that could run a launch.
type Candidate struct {
	Device  string
	Total   int64 // bytes of the launch's arguments
	Present int64 // of those, what it has
	Copied  int64 // and what would be copied to it
	Copies  Time  // how long that takes at worst
	Busy    int   // streams of it that have work
}
