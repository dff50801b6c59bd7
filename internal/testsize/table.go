package testsize

// table has a row for each random test: how many trials it makes when tests are short, normal and long. A short test
// makes at least a third of the normal one's, so that three commits make all (Turns).
var table = map[string][3]int{
	"arrays.TestCSVKindsAnew":                              {300, 300, 5000},                // files, in one commit of three
	"arrays.TestDelimitersAsPandas":                        {150, 150, 1500},                // texts, in one commit of three
	"internal/csvtable.TestDecimalsOfLines":                {500_000, 1_500_000, 1_500_000}, // numbers
	"internal/csvtable.TestLanes":                          {8_000, 24_000, 200_000},        // pieces of tables
	"arrays.TestMod":                                       {700_000, 2_000_000, 2_000_000}, // pairs
	"internal/csvtable.TestRowsAsEncodingCSV":              {17_000, 50_000, 50_000},        // texts
	"internal/elementary.TestAccuracy":                     {1500, 1500, 100_000},           // points of a function and width
	"internal/sfu.TestAccuracy":                            {1, 3, 3},                       // thirds of all arguments
	"gpu/brook.TestReductionsComputeMaps":                  {10, 30, 1000},                  // streams
	"gpu/brook.TestRandomOperators":                        {10, 30, 1000},                  // streams
	"gpu/brook.TestSumsOfProducts":                         {40, 100, 3000},                 // shapes
	"interp.TestCellsThatLackAParenthesis":                 {300, 900, 30_000},
	"interp.TestSequences":                                 {14, 40, 200},
	"interp.TestStructsThatTheirMethodsName":               {5, 15, 200},
	"interp/symbols.TestRandomStreamFunctions":             {4, 12, 2000},
	"interp/internal/gokernels.TestKernels":                {1, 3, 100}, // of 8 kernels
	"interp/internal/gokernels.TestHeldFunctions":          {8, 24, 300},
	"interp/internal/gokernels.TestRandomGraphs":           {15, 45, 1000},
	"interp/internal/programs.TestPrograms":                {50, 150, 1000},
	"kir.TestParseReadsWhatStringPrints":                   {100, 300, 3000},
	"kir/opt.TestPassesKeepResultsOfRandomKernels":         {20, 60, 600},
	"kir/opt.TestConstantInput":                            {30, 90, 900},
	"kir/opt.TestLaunchRangesKeepResults":                  {40, 120, 1200},
	"kir/opt.TestHighWordsThatNothingNeeds":                {60, 180, 1800},
	"kir/opt.TestMergedRandomKernels":                      {30, 90, 900},
	"kir/opt.TestKernelsOfCPUsKeepResults":                 {30, 90, 900},
	"kir/opt.TestRangesHold":                               {50, 150, 1500},
	"kir/opt.TestRandomKernelsStayWithinTheirReach":        {50, 150, 1500},
	"kir/opt.TestScheduledRandomKernels":                   {50, 150, 1500},
	"kir/opt.TestSpillKeepsResults":                        {27, 80, 800},
	"kir/ptx.TestDamagedTexts":                             {1400, 4000, 40_000},
	"kir/ptx.TestParsedKernelsComputeTheSame":              {20, 60, 600},
	"kir/ptx.TestPrintedKernelsAreParsedAsTheSame":         {100, 300, 3000},
	"kir/ptx.TestPtxasAcceptsPrintedKernels":               {34, 100, 300},
	"kir/random.TestAllAgree":                              {100, 300, 3000},
	"lazy/frames.TestAsPandasAnew":                         {100, 300, 3000}, // cases, of which 35 in 105 are chains
	"gpu.TestGroupsAtRandom":                               {4, 12, 200},
	"offload/partition.TestIndex":                          {8, 24, 800},
	"offload/placement.TestRandomPrograms":                 {300, 900, 30_000},
	"offload/placement.TestWholeArraysAndBoxes":            {300, 900, 30_000},
	"offload/placement.TestExhaustiveIsTheBest":            {4, 12, 400},
	"offload/placement.TestEarliestFinishOnRandomGraphs":   {100, 300, 10_000},
	"lazy/gonum/floats.TestOddNumbers":                     {60, 180, 2000},
	"lazy/gonum/stat.TestOddNumbers":                       {80, 240, 2000},
	"lazy/learn.TestLinearAsClosedForm":                    {60, 180, 1000},
	"lazy/learn.TestLogisticIsAtItsMinimum":                {15, 45, 300},
	"simgpu.TestCheckOfRandomKernels":                      {20, 60, 600},
	"simgpu.TestQueueOfLoadsIsKept":                        {70, 200, 2000},
	"simgpu.TestEveryCombinationOfPolicies":                {8, 24, 80}, // kernels, which combinations share
	"simgpu.TestGatheredOnceForAllPolicies":                {2, 6, 100},
	"simgpu.TestSamplesAreHonest":                          {20, 60, 200},
	"simgpu.TestRandomKernels":                             {14, 40, 400},
	"simgpu.TestRandomGridsTogether":                       {6, 18, 300},
	"tests.TestEveryDeviceAgrees":                          {10, 30, 600},
	"tests.TestProductsOnSimulatedGPUs":                    {20, 60, 2000},
	"tests/multi.TestProgramsOnAnyNumberOfDevices":         {2, 6, 3000},
	"tests/multi.TestVersionsOfArrays":                     {8, 24, 3000},
	"tests/multi.TestRandomLaunchesOnViews":                {40, 120, 6000},
	"tests/multi.TestMemoriesAndLinksInCells":              {1, 3, 10},
	"tests/multi.TestNumbersAreAddedOnDevices":             {20, 60, 3000},
	"tests/multi.TestPlansOrderWhatConflicts":              {4, 12, 1000},
	"tests/multi.TestOperationsOnDevices":                  {2, 6, 3000},
	"tests.TestGraphsOnSeveralDevices":                     {20, 60, 10_000},
	"simgpu.TestReturnsAndBarriersOfRandomKernels":         {10, 30, 20_000},
	"tests.TestGraphsOnSeveralStreams":                     {15, 45, 10_000},
	"offload.TestStreamsInRandomPrograms":                  {30, 90, 10_000},
	"gpu/dp.TestProgramsOfVerbs":                           {10, 30, 4000},
	"tests.TestWhatGPUsLeaveToTheCPU":                      {8, 24, 1000},
	"tests.TestCumulationsOnDevices":                       {6, 18, 2000},
	"tests.TestSortsOnDevices":                             {2, 6, 2000},
	"tests.TestMasksLargerThanTheDevice":                   {2, 6, 1000},
	"tests.TestScansLargerThanTheDevice":                   {2, 6, 1000},
	"tests.TestGraphsWhereverTheyRun":                      {67, 200, 10_000},
	"tests/pieces.TestRandomProductsInPieces":              {12, 36, 3000},
	"tests/pieces.TestMixedViewsInPieces":                  {10, 30, 3000},
	"tests.TestRandomRowsAlone":                            {6, 18, 3000},
	"tests.TestInto":                                       {100, 300, 9000},
	"tests/storage.TestRandomKernelsOverFiles":             {3, 9, 1000},
	"tests/storage.TestKilled":                             {2, 6, 200},
	"tests/storage.TestRandomAssignments":                  {8, 24, 1000},
	"tests/pieces.TestRandomGraphsInPieces":                {7, 20, 200},
	"kir/paging.TestProgramsInAnyOrder":                    {3, 9, 300},
	"kir/paging.TestProgramsAtOnce":                        {1, 3, 100},
	"kir/cpu.TestRandomKernelsOverLines":                   {25, 75, 5000},
	"offload/storage.TestCacheIsAFile":                     {10, 30, 400}, // of 3,000 operations
	"tests/storage.TestRandomElementsOutOfCore":            {1, 3, 1000},
	"tests/storage.TestRandomProgramsOfFiles":              {4, 12, 1000},
	"tests/pieces.TestRandomProgramsInPieces":              {4, 12, 1000},
	"tests.TestRandomProgramsWithLittleMemory":             {4, 10, 100},
	"kernel/notebook.TestPercentIsJupytext":                {40, 120, 2000},
	"tests/hostile.TestHostile":                            {20, 60, 2000},  // random cases of a format
	"tests.TestStringDTypeEverywhere":                      {40, 120, 1500}, // calls of each function
	"tests.TestSurface":                                    {5, 15, 2000},
	"interp/langserver.TestEachPositionOfAnyTextHasAPlace": {300, 900, 30_000},
	"gpu.TestClustersAtRandom":                             {3, 9, 200},
	"gpu.TestTreesOfLaunches":                              {3, 9, 200},
	"gpu.TestGridBarriersAtRandom":                         {3, 9, 200},
	"gpu.TestProductsAtRandom":                             {3, 9, 200},
	"simgpu.TestManagedAsLeastRecentlyUsed":                {5, 15, 500},
	"simgpu.TestCompiledScores":                            {4, 12, 400},
}
