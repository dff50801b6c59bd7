package placement

// EarliestFinish takes, of the devices that have Threshold of the arguments' bytes or more, the one on which the launch
// would be over first, by the estimate of [Candidates.Finish]: the choice of a processor in HEFT (Topcuoglu, Hariri and
// Wu, "Performance-effective and low-complexity task scheduling for heterogeneous computing", IEEE TPDS 13(3), 2002),
// for launches in the order of their calls, among the devices that [MinMaxTransferTime] chooses from. Where there is
// none it takes the devices in turn.
type EarliestFinish struct{ Threshold float64 }

// Name is "earliest-finish".
func (EarliestFinish) Name() string { return "earliest-finish" }

// Choose takes the first to be done.
func (p EarliestFinish) Choose(c Candidates) int {
	switch {
	case len(c.Devices) == 1:
		return c.Devices[0]
	case !within(&c, p.Threshold, 1):
		return c.InTurn()
	}
	return c.Least(c.finish)
}

// estimates reports whether a policy is to be told when launches would be over.
func estimates(p Policy) bool { return p.Name() == (EarliestFinish{}).Name() || IsFunc(p) }
