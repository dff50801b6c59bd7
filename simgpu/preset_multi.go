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
	p.PortRate = 250e9             // measured [B], one way; twelve links are nominally 300
	p.PCIePeerRate = 20e9          // [A]; every pair has NVLink
	p.SwitchGPUs = 2               // [A]
	p.Links = everywhere(8, 250e9) // measured [B]: uniform
	return p
}

// dgx1v is a node of the cluster of Legate NumPy: eight V100 in a hybrid cube mesh, each with six NVLinks.
func dgx1v() Preset {
	p := v100x8()
	p.Name, p.Title = "dgx1v", "DGX-1V: 8 Tesla V100 16 GB, NVLink in a cube mesh (simulated)"
	p.Links = make([][]int64, 8)
	for i := range p.Links {
		p.Links[i] = make([]int64, 8)
	}
	// One or two links [W], at the rates of [B].
	for rate, pairs := range map[int64][][2]int{
		48e9: {{0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3}, {4, 7}, {5, 6}, {6, 7}},
		24e9: {{0, 1}, {0, 2}, {1, 3}, {2, 6}, {3, 7}, {4, 5}, {4, 6}, {5, 7}},
	} {
		for _, x := range pairs {
			p.Links[x[0]][x[1]], p.Links[x[1]][x[0]] = rate, rate
		}
	}
	p.RootRate = 0 // two processors, each with two switches [W]
	return p
}

// h100x8 is eight H100 on NVSwitch: the H200 of this package with the memory of an H100.
func h100x8() Preset {
	p := h200
	p.Name, p.Title = "h100x8", "8 H100 SXM5 80 GB, NVSwitch (simulated)"
	p.MemoryBytes = 80 * gib // [W], as the two below
	p.DRAMPeak = 3350e9
	p.DRAMChannels = 40
	p.DRAMShare = 0.9 // [E], of an H100: 3000 GB/s
	p.GPUs = 8
	p.PortRate = 400e9    // one way by a copy engine, of 450 nominally, as AutoOverlap has it
	p.PCIePeerRate = 40e9 // [A]; every pair has NVLink
	p.SwitchGPUs = 2      // [A]
	p.Links = everywhere(8, p.PortRate)
	return p
}

// l4x8 is eight L4, which have no NVLink: all goes over PCIe. What is not said is as on the A100.
func l4x8() Preset {
	p := a100
	p.Name, p.Title, p.Capability = "l4x8", "8 L4 24 GB, PCIe (simulated)", "8.9"
	p.SMs, p.ClockMHz = 58, 2040                   // boost [W]
	p.MaxThreadsPerSM, p.MaxBlocksPerSM = 1536, 24 // [C], as the six below
	p.SharedPerSM, p.SharedOptIn = 100*kib, 99*kib
	p.UnifiedBytes = 128 * kib
	p.SharedCarveouts = []int{0, 8 * kib, 16 * kib, 32 * kib, 64 * kib, 100 * kib}
	p.Units[UnitFP32].Lanes = 32
	p.TensorRate = 512
	p.Units[UnitFP64].Lanes = 0.5
	p.Units[UnitMemory].Lanes = 4
	p.L2Bytes, p.L2Banks = 48*mib, 48      // [W], [A]
	p.L2Far = 0                            // [A]: half as many SMs
	p.DRAMPeak, p.DRAMChannels = 300e9, 12 // [W]
	p.MemoryBytes = 24 * gib               // [W]
	p.GPUs = 8
	p.PCIePeerRate = 20e9 // [A]: PCIe 4.0 x16 through a switch
	p.SwitchGPUs = 2      // [A]
	return p
}

// everywhere links each of so many GPUs with each other.
func everywhere(gpus int, rate int64) [][]int64 {
	links := make([][]int64, gpus)
	for i := range links {
		links[i] = make([]int64, gpus)
		for j := range links[i] {
			if i != j {
				links[i][j] = rate
			}
		}
	}
	return links
}
