package simgpu

// v100x8 is the first machine of [B]: eight V100 with NVLink between some, in a PCIe tree under two Xeons.
func v100x8() Preset {
	p := v100
	p.Name, p.Title = "v100x8", "8 Tesla V100 16 GB, NVLink and PCIe (simulated)"
	p.GPUs = 8
	p.PinnedRate = 11_950_000_000 // measured [B]
	p.PCIePeerRate = 85e8         // measured [B], all pairs without NVLink
	p.SwitchGPUs = 2              // [A]
	p.RootRate = 15e9             // follows from [B]: eight GPUs do a product that copies bound 1.26 times as fast as one
	p.Links = make([][]int64, 8)
	for i := range p.Links {
		p.Links[i] = make([]int64, 8)
	}
	// Measured [B], with copies of 500 MB: two links, and one.
	for rate, pairs := range map[int64][][2]int{
		48e9: {{0, 3}, {0, 6}, {1, 2}, {1, 7}, {2, 3}, {4, 5}, {4, 7}, {5, 6}},
		24e9: {{0, 1}, {0, 2}, {1, 3}, {2, 4}, {3, 5}, {4, 6}, {5, 7}, {6, 7}},
	} {
		for _, x := range pairs {
			p.Links[x[0]][x[1]], p.Links[x[1]][x[0]] = rate, rate
		}
	}
	return p
}

// a100x8 is the second machine of [B]: eight A100 on NVSwitch.
func a100x8() Preset {
	p := a100
	p.Name, p.Title = "a100x8", "8 A100 40 GB, NVSwitch (simulated)"
	p.GPUs = 8
	p.PortRate = 250e9    // measured [B], one way; twelve links are nominally 300
	p.PCIePeerRate = 20e9 // [A]; every pair has NVLink
	p.SwitchGPUs = 2      // [A]
	p.Links = make([][]int64, 8)
	for i := range p.Links {
		p.Links[i] = make([]int64, 8)
		for j := range p.Links[i] {
			if i != j {
				p.Links[i][j] = 250e9 // measured [B]: uniform
			}
		}
	}
	return p
}
