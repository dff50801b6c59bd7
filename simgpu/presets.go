package simgpu

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

const kib, mib, gib = 1 << 10, 1 << 20, 1 << 30

// presets holds every machine by name; the files preset_*.go have them, each figure with where it comes from:
//
//	[W]  NVIDIA's white paper or data sheet of the machine
//	[C]  NVIDIA, CUDA C++ Programming Guide, its table of compute capabilities; occupancy calculator
//	[G]  GPGPU-Sim 4, tested configurations (GTX480, QV100, TITANV)
//	[E]  gpu-benches of the computing centre at Erlangen (te42kyfo): gpu-latency, gpu-strides, gpu-l2-cache, and gpu-stream where 128 threads of an SM write
//	[J]  Jia, Maggioni, Staiger, Scarpazza: Dissecting the NVIDIA Volta GPU architecture via microbenchmarking, 2018
//	[L]  Lindholm, Nickolls, Oberman, Montrym: NVIDIA Tesla, IEEE Micro 2008
//	[N]  Nickolls, Buck, Garland, Skadron: Scalable parallel programming with CUDA, ACM Queue 2008
//	[D]  Fung, Sham, Yuan, Aamodt: Dynamic warp formation, ACM TACO 2009, table I
//	[V]  Yoon, Kim, Lee, Ro, Annavaram: Virtual thread, ISCA 2016, table I
//	[S]  Brunie, Collange, Diamos: Simultaneous branch and warp interweaving, ISCA 2012, table 2
//	[B]  Parravicini, Delamare, Arnaboldi, Santambrogio: DAG-based scheduling with resource sharing for multi-task
//	     applications in a polyglot GPU runtime, IPDPS 2021, its multi-GPU sequel and the code of both (GrCUDA)
//	[R]  Ruetsch, Micikevicius: Optimizing matrix transpose in CUDA, 2009
//	[T]  from the times of transposes that write down columns, where a warp writes 4 bytes of each of 32 sectors: Z. Fan, CUDA Programming, ch. 7
//	     (V100, P100); NVIDIA's blog on matrix transposes (M2050); public benchmarks of A100 and H100
//	[F]  G. Smith of NVIDIA on developer.nvidia.com's forum, "Unexpected shared memory bank conflict", 2019: which accesses of 16 bytes take 2 requests and not 4
//	[H]  Huerta, Abaie Shoushtary, Cruz, González: Analyzing modern NVIDIA GPU cores, 2025
//	[K]  gpumembench (E. Konstantinidis, Y. Cotronis, PDP 2016): warps of a GTX 480 read L1 at its full rate to their end
//	[Y]  the time of 2^30 atomics on 256 words on an H100 (Yencal, gpu-histogram-optimization); assumed of the others
//	[U]  Buck, Foley, Horn, Sugerman, Fatahalian, Houston, Hanrahan: Brook for GPUs, SIGGRAPH 2004
//	[A]  assumption
//
// Nothing was calibrated on a card.
var presets = map[string]Preset{
	"g80": g80, "gtx280": gtx280, "gtx480": gtx480, "p100": p100, "v100": v100, "a100": a100, "h200": h200,
	"tesla2009": tesla2009, "fermivt": fermiVT, "fermisbi": fermiSBI, "fermisbi-64": fermiSBI64, "tiny": tiny(),
	"nv40": nv40, "r420": r420,
	"v100x8": v100x8(), "a100x8": a100x8(), "dgx1v": dgx1v(), "h100x8": h100x8(), "l4x8": l4x8(),
}

// Names returns the names of the machines that this package has, sorted: "sim:a100", "sim:fermisbi", ...
func Names() []string {
	var names []string
	for _, n := range slices.Sorted(maps.Keys(presets)) {
		names = append(names, "sim:"+n)
	}
	return names
}

// PresetByName returns the preset of the given name, with or without "sim:". An unknown name's error lists those there
// are. A name that ends in ".json" is the path of a file, as Preset.File writes them; its errors say what is wrong
// where.
func PresetByName(name string) (Preset, error) {
	name = strings.TrimPrefix(name, "sim:")
	if isPresetFile(name) {
		return readPreset(name)
	}
	p, ok := presets[name]
	if !ok {
		return Preset{}, fmt.Errorf("there is no simulated GPU %s; there are %s", brief.Quoted(name), strings.Join(Names(), ", "))
	}
	p.SharedCarveouts = slices.Clone(p.SharedCarveouts)
	p.Links = slices.Clone(p.Links)
	for i := range p.Links {
		p.Links[i] = slices.Clone(p.Links[i])
	}
	return p, nil
}
