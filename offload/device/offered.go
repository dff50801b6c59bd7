package device

import "sync"

var offers struct {
	sync.Mutex
	list []func(*Registry)
}

// Offer has [Offered] call register: a package of devices calls it when it is initialised, so that a program that
// imports the package can name them, as it can name the drivers of database/sql that it imports.
func Offer(register func(*Registry)) {
	offers.Lock()
	defer offers.Unlock()
	offers.list = append(offers.list, register)
}

// Offered returns a new registry with the devices of all packages that the program has imported.
func Offered() *Registry {
	offers.Lock()
	defer offers.Unlock()
	r := new(Registry)
	for _, register := range offers.list {
		register(r)
	}
	return r
}

// packages are those that bring devices, by the beginning of their names.
var packages = map[string]string{"sim": "simgpu", "cuda": "cudabackend"}
