package device

// Unified is a device with managed memory: kernels and the host use it at one address, and pages move to where they are
// touched.
type Unified interface {
	// AllocManaged makes a buffer, zeroed, that may be larger than the device's memory. Its error says why the device
	// has none.
	AllocManaged(bytes int) (Managed, error)
}

// Managed is a buffer of managed memory.
type Managed interface {
	Buffer
	// Memory is the buffer on the host. Whoever reads it or writes to it has the pages moved there before; see
	// Migrator.
	Memory() []byte
	Advise(a Advice)
}

// Advice is what a program says of the use of managed memory.
type Advice uint8

// What may be said.
const (
	AdviseNothing    Advice = iota
	AdviseReadMostly        // a page that the device reads stays with the host as well
	AdviseOnHost            // pages stay with the host, and kernels access them over the link
)

// Migrator is a stream of a device with managed memory.
type Migrator interface {
	// Migrate moves the pages of a managed buffer to the device, as many as there is room for, or to the host.
	Migrate(b Buffer, toDevice bool) Event
}
