package trace

// MemoryLevel is one kind of a machine's memory: what one has of it, how often there is one, and how far away it is.
type MemoryLevel struct {
	Name   string
	Bytes  int64 // of one
	Copies int   // one for each SM, say
	Per    string
	Cycles float64 // of a load that finds its value there; 0 where that is not known
}
