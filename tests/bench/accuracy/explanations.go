package main

// explanations says of each experiment, by its number, why rows and assertions are missed.
var explanations = map[string]map[string]string{
	"M01–M07": {
		"each step is 1.3 to 2.5 times faster, all 20 to 40 times": "step 6 gains 1.15 and all steps 21 times. The loop that step 6 writes out has two rounds left after step 5, and the model's G80 takes fewer cycles for their tests and barriers than the card did",
	},
	"M09": {
		"the last reaches 80 % of the peak": "latencies are in cycles of the SMs' clock: at 765 MHz, not 1410, DRAM takes nearly twice as long here, on a card it does not",
	},
	"M11": {
		"copy through shared memory":       "the barrier and the way through shared memory are hidden by the other blocks of the SM; 5 % on the card",
		"naive: strided writes":            "partial sectors within L2 cost what the transposes of larger matrices fitted ([T]); on the card such writes within L2 were four times slower than that. The one figure cannot be both",
		"padded tile":                      "the step is counted from the tile with conflicts, which the model has 2.6 times too fast: its conflicts hide behind the waits for L2",
		"padded tile, blocks in diagonals": "2 % below the tile with conflicts, as its blocks compute their places with a division; that tile is too fast, see above",
	},
	"M18": {
		"naive: strided reads":  "L1 of 16 kB keeps the lines of a column until the threads beside read their neighbours. On the card it seems not to; why is not known",
		"naive: strided writes": "what such writes cost is set by the transposes of another source on this machine ([T]), which measured half of what this one did",
	},
	"M19b": {
		"padded tile, blocks in diagonals":                                                    "the step is counted from tiles whose writes are in one partition and whose reads are spread, which the model has three times too fast; blocks in diagonals reach what a copy does",
		"padding gains almost nothing, blocks in diagonals about 4 times (partition camping)": "padding gains 1.02, diagonals 2.25, see there. The figures are from memory",
	},
	"M19c": {
		"copy": "the padded tile and strided reads take as long as a copy here, to a part in a thousand, as L1 keeps their sectors until the neighbours' threads come; on the card they cost 1.3 and 1.5 times a copy. What of L1 is lost there is not known",
	},
	"M19d": {
		"strided reads":        "as on the V100 (M19c): reads down columns hit L1 and come out as fast as a copy",
		"tile, bank conflicts": "the model's P100 does not hide conflicts of 32 ways wholly behind DRAM; the card did",
		"copy to strided reads to strided writes as 1 : 1.6 : 4, each within 1.5": "strided reads are 1.0 of a copy, see there; strided writes 4.5",
		"padding gains nothing": "it gains 1.3, see the tile with conflicts",
	},
	"M19f": {
		"coalesced writes": "strided reads come out as fast as a copy, since L1 keeps their sectors; on the card they were hardly faster than strided writes (see M19c)",
	},
	"M20": {
		"tile of A in shared memory":                      "without shared memory a warp reads one number of A for all lanes, which L1 serves as one sector: nothing is lost that a tile could save, and the tile's store and barrier cost. With M = 1024 all of it is in L2 here",
		"tiles of A and B":                                "the step is counted from the tile of A alone, see there; from the first row it is 1.34, on the card 1.63",
		"1 : 1.20 : 1.63, in this order, each within 1.5": "the middle is 0.65, see there; the last is 1.34, within 1.5",
	},
	"M22": {
		"3 to 15 % are lost": "a warp whose addresses are shifted reads five sectors for four, of which its neighbour finds one in L1 or L2: DRAM moves as much as before. The card lost 10 %; where is not known",
		"aligned":            "equal here, see above",
	},
	"M24": {
		"chunks of 15": "the step is counted from chunks of 39, which the model has too fast, probably as rows of DRAM cost no time of their own here, and each access of a thread opens one on a card",
		"chunks of 3":  "counted from chunks of 15, which are too fast for the same reason",
		"chunk to cyclic is 1.1, 8 and 15, each within 1.5": "1.3, 3.0 and 3.0, see the chunks: only the paper of `tesla2009` has figures of rows",
	},
	"M26": {
		"threads along rows": "a matrix of 2048² is 16 MB here, and L2 of 40 MB keeps most of what threads along columns read in part; the card measured has 5 MB for 8192²",
	},
	"M27": {
		"offset 128":                 "equal to the row before: what an offset of 11 reads more, L1 and L2 have",
		"offset 0":                   "as offset 128",
		"the offset costs 3 to 12 %": "nothing: the sixth sector of a warp is the first of its neighbour, which L1 keeps",
	},
	"M34": {
		"to 8×8 1.3 to 1.9": "1.12: a thread's eight numbers of A are not neighbours in shared memory until A is transposed, and are a request each; the last step then gains more than on the card (1.52 for 1.08)",
	},
	"M35": {
		"128×128 tiles, 8×8 a thread":      "as on the A100 (M34), and more, which is not understood",
		"and vectors of 4, A transposed":   "the step is counted from the row above, which is too slow",
		"uncoalesced to coalesced 6 to 11": "12.8: coalesced reads come out 1.27 of the published rate, uncoalesced ones 0.93. Why they are too fast is not understood",
		"to 32×32 tiles 1.5 to 1.9":        "1.34: counted from the row above, which is too fast",
		"to 8×8 1.3 to 1.9":                "0.82, see the row of 8×8",
	},
	"M39c": {
		"T = 1": "counted from T = 16, which is too slow: 16 blocks are left of 1024 numbers a side, and the results, written down columns, count 16 times more for the 64 terms computed here than for 1024",
		"T = 4": "2 % apart here, 8 % on the card; see T = 8",
		"T = 8": "writes of results down columns, which 1024 terms hide and the 64 computed here do not",
		"4 or 8 are best, 16 is 3.5 times worse, within 1.5": "see T = 1 and T = 8: the sizes computed here are a sixteenth of the source's",
	},
	"M39d": {
		"side 8": "a block of one warp or two takes 300 cycles for a round, as each goes to L2, on the card 150, as if both loads hit L1: so small sides are too slow and the step to 8 is counted from them",
		"times as 34 : 5.9 : 1.5 : 1.14 : 1 : 1.04, each within 1.5": "94 : 15 : 3.0 : 1.24 : 1 : 1: neighbouring blocks begin on different SMs, so that they share no sector of L1",
	},
	"M46, writes": {
		"1024 threads in a block": "both are at what DRAM gives; they differ by 0.03 %",
	},
	"M47": {
		"16": "both are at what DRAM gives; they differ by 0.1 %",
		"4 bytes to 16 as 0.54, 1 byte as 0.18, each within 1.25": "0.82 and 0.21: H200's DRAM takes longer for each access the more is asked of it, well before it is full; the model's only when it is",
	},
	"M57": {
		"32 MB: far half of L2": "which half of L2 has a line, and what an SM at the other keeps of it, is not published; the model has one L2, with the latency of the near half",
		"128 MB: DRAM":          "the step is counted from the far half of L2, which the row above lacks; DRAM itself is within 1 %",
		"in this order":         "near and far are equal, see there",
	},
	"M58": {
		"32 MB: far half of L2": "which half of L2 has a line, and what an SM at the other keeps of it, is not published; the model has one L2, with the latency of the near half",
		"128 MB: DRAM":          "the step is counted from the far half of L2, which the row above lacks; DRAM itself is within 1 %",
		"in this order":         "near and far are equal, see there",
	},
	"M59": {
		"L1":            "32 cycles against 33 of shared memory: this source has 40 for L1, M58's 34 for a machine of the same kind, from which the preset's figure is",
		"in this order": "see L1",
	},
	"M61": {
		"L1: 64 kB": "counted from L2, which is 1.33 of the published rate; L1 is 0.89: the model's banks of L2 give nearly all that they can",
	},
	"M62": {
		"L2: 16 MB":  "counted from DRAM, where the preset's card has 1555 GB/s and the measured one 2039; L2 is 1.28 of the published rate, as on the V100",
		"L1: 128 kB": "counted from L2, which is too fast; L1 is 0.85",
	},
	"M66": {
		"stride 5": "2.16 cycles here and 2.2 published; it is stride 2 that is off, 2.24 for 2.0, as the queue before the memory pipeline is not always full",
	},
	"M68": {
		"stride 4": "four passes hide behind what one warp waits for anyway in the model; on the card they cost 3 cycles",
	},
	"M73e": {
		"each pair once, with atomics":               "252 µs for 219 without: half of the pairs are looked at, which saves less here than the atomics take. On the card they took no longer; what hid them there was not looked into",
		"atomics with few collisions are not slower": "they are, by 15 %, see there",
	},
	"M74": {
		"3×3, in constant memory":    "9 % apart: loads of a mask that all lanes share cost an instruction and a pass of L1 here, and nothing from constant memory; on the card constants of 3×3 came 6 % later",
		"7×7, mask in global memory": "49 loads of the mask stand beside 49 of the picture, each a pass of L1 in the model; the card seems to have less to do for those that all lanes share",
	},
	"M82": {
		"256 kB": "counted from 64 kB, which the model has 2.75 times too fast: a copy begins after 8 µs, on the card after 30; the larger ones are right",
	},
}
