package main

// explanations says of each experiment, by its number, why rows and assertions are missed.
var explanations = map[string]map[string]string{
	"M09": {
		"the last reaches 80 % of the peak": "latencies are in cycles of the SMs' clock: at 765 MHz, not 1410, DRAM takes nearly twice as long here, on a card it does not",
	},
	"M11": {
		"naive: strided writes":            "partial sectors within L2 cost what the transposes of larger matrices fitted ([T]); on the card such writes within L2 were four times slower than that. The one figure cannot be both",
		"tile, bank conflicts":             "counted from strided writes, which are too fast; its own conflicts hide behind the waits for L2",
		"padded tile":                      "the step is counted from the tile with conflicts, which the model has 2.5 times too fast: its conflicts hide behind the waits for L2",
		"padded tile, blocks in diagonals": "6 % below the tile with conflicts, as its blocks compute their places with a division; that tile is too fast, see above",
	},
	"M18": {
		"naive: strided writes": "what such writes cost is set by the transposes of another source on this machine ([T]), which measured half of what this one did",
		"naive: strided reads":  "the step is counted from strided writes, which are half as fast as measured; these reads are at the published fraction of the peak",
	},
	"M19b": {
		"padded tile, blocks in diagonals":                                                    "the step is counted from tiles whose writes are in one partition and whose reads are spread, which the model has three times too fast; blocks in diagonals reach what a copy does",
		"padding gains almost nothing, blocks in diagonals about 4 times (partition camping)": "padding gains 1.02, diagonals 2.25, see there. The figures are from memory",
	},
	"M19c": {
		"strided reads": "as long as the tile with conflicts, to a part in a thousand; on the card 1.13 of it. Of a column's eight warps some find their sectors there when they come, on the card hardly any",
	},
	"M19d": {
		"padding gains nothing": "it gains 1.27: the model's P100 does not hide conflicts of 32 ways behind DRAM, as the padded tile is as fast as a copy here; on the card that took 1.33 times as long as one, too",
	},
	"M19e": {
		"copy": "the last four are at what DRAM gives, within 0.3 % of each other; on the card a copy was 10 % faster than the next",
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
	"M27": {
		"the offset costs 3 to 12 %": "less than 1 %: the sixth sector of a warp is the first of its neighbour, which L1 keeps or has asked for; a second look at it costs little where DRAM is the limit",
	},
	"M34": {
		"to 8×8 1.3 to 1.9":         "1.18: 8×1 a thread reaches 1.05 of the published rate, 8×8 0.91: its sixteen words a round wait for each other more than on the card",
		"to 32×32 tiles 1.5 to 1.9": "2.07: direct loads come out at 0.76 of the published rate, tiles at 0.90. More of the loads find their lines on their way than on the card, where L2 answers later than on a V100",
	},
	"M35": {
		"to 8×8 1.3 to 1.9": "1.26: 8×1 a thread reaches 0.98 of the published rate, 8×8 0.87, as on the A100; both are timed by samples, which have the step at 1.32 or at 1.26",
	},
	"M39": {
		"tiles gain 1.0 to 1.3: L1 catches the rest": "1.63: tiles take 0.8 of the published time here, direct loads 1.03 of it. Shared memory serves float64 at its full rate; what slows tiles on the card is not known",
	},
	"M39c": {
		"T = 1": "counted from T = 16, which is too slow: 16 blocks of 256 threads are left, whose 256 sums do not fit in 255 registers, and a warp's loads are 16 rows apart, 32 lines each",
		"T = 8": "1.5 times T = 4, 0.9 of the published time; T = 1 and T = 2 are 0.7 and 0.6 of it, so that they come before it. What a load of 32 lines costs a P100 less than here is not known",
		"4 or 8 are best, 16 is 3.5 times worse, within 1.5": "4 is best, 16 is 14 times worse: see T = 1",
	},
	"M39d": {
		"side 8": "a round of 32 blocks of one thread takes 316 cycles here, on the card 150: 15 instructions a warp are 240 cycles of two schedulers that begin one a cycle, and Pascal's can begin two. So small sides are too slow, and the step to 8 is counted from them",
		"times as 34 : 5.9 : 1.5 : 1.14 : 1 : 1.04, each within 1.5": "79 : 15 : 2.9 : 1.27 : 1 : 0.94: see side 8. Sides of 8 to 32 take 0.8 to 0.97 of the published times, of a quarter of the product",
	},
	"M46, writes": {
		"1024 threads in a block": "both are at what DRAM gives; they differ by 0.03 %",
	},
	"M61": {
		"L1: 64 kB": "counted from L2, which is 1.33 of the published rate; L1 is 0.89: the model's banks of L2 give nearly all that they can",
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
		"7×7, tile in shared memory": "a tile loses 4 % here, and gains 5 % on the card; its lanes load a border of three, and wait for each other twice",
		"3×3, in constant memory":    "loads of a mask that all lanes share cost an instruction and a pass of L1 here, and nothing from constant memory; on the card constants of 3×3 came 6 % later",
		"3×3, tile in shared memory": "a tile gains 6 % here, and loses 12 % on the card: neighbours that find a sector on its way are looked up twice, which tiles save",
	},
	"M75, H200": {
		"neighbours cost at most 3 %": "5 %: loads of neighbours find sectors on their way and wait for them at L1 a second time, where DRAM, which answers late, leaves no time to spare; on the card 1.2 %",
	},
	"M82": {
		"256 kB": "counted from 64 kB, which the model has 2.75 times too fast: a copy begins after 8 µs, on the card after 30; the larger ones are right",
	},
}
