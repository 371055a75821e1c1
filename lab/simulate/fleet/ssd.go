package fleet

// newSSDs returns the behaviour of T16's 4,069 SSDs.
//
// Two sets of T16's figures contradict each other:
//
//   - The shares of group hours with a first, a second and a third slow drive sum to 4.43 %, but
//     0.58 % of the hours of 7.1 drives are 4.1 %. Here, group hours with a slow drive are up to a
//     tenth fewer.
//   - 60 % SLC with 0.5 % of hours at 1.5 and 40 % MLC with 1.8 % make 1.0 %, not 1.3 %. Here, the
//     SSDs of unknown models have the rest.
func newSSDs() *behaviour {
	return &behaviour{
		Kind: SSD,
		// Finding 1, slowdown by quantile of the hours: 1.5 at 98.7 %, 2 at 99.42 %, 9 and more at
		// 99.99 %, 30 and more at 99.999 %. Of 7 M hours, 10 are at 100 and more.
		Tail: tail{
			{mildAt, 0.013},
			{slowAt, 0.0058},
			{9.5, 1e-4},
			{32, 1e-5},
			{100, 1.43e-6},
			{999, 1e-8},
		},
		// Finding 6: 2.5 % were ever 16 times slower.
		Memory: persistence{Fault: 0.15, Run: 0.7},
		// Finding 4: 35 % of runs last for more than an hour, 3 % for 8 hours and more. Finding 5:
		// 85 % of slow hours are within a day of the last slow hour.
		Chain: chain{Lasting: 0.14, StayBrief: 0.277, StayLasting: 0.8, Again: 0.05, Lull: 7},
		// Findings 6 and 7: 29 % were ever slow, of these 70 % for less than 5 hours and 5 % for
		// 100 hours and more. So a few drives have most of the slow hours: they are slow in a third
		// of their hours.
		Rare:     0.00031,
		Standing: []weak{{Drives: 0.065, Hours: 0.034}, {Drives: 0.0135, Hours: 0.315}},
		// Finding 3: 2.23 % of group hours have a slow drive, 1.4 % a second slow drive, 0.8 % a
		// third. So nearly as many drives are slow as the width of the group allows.
		Spread: spread{Two: 0.85, Three: 0.85, More: 0.02},
		// Findings 14 and 15:
		//
		//   - 8 % of slow SSDs are unplugged within a day: 6 % of mildly slow ones, no more of
		//     severely slow ones.
		//   - All are plugged in again, 61 % within 2 hours and 97 % within 10.
		//   - 35 % of those are slow again within a day.
		//
		// As with disks, the parameters are set so that these figures result.
		Plug:   plugging{Slow: 0.027, Mild: 0.02, Severe: 0, Back: 1, Scale: 2.15, Shape: 0.817, Relapse: 0.38},
		Warned: 0.02, // §4.3.1, as with disks
		Load: load{
			Lowest: 100_000, Highest: 4_000_000, Spread: 0.8,
			Step:      0.59, // Finding 13: I/Os fall to half in 12 % of the hours
			Dependent: 0.27, // and 23 points more often if a drive becomes slow
			Idle:      0.09, // as with disks: T16 gives the hours of SSDs only as a round number
			IdleHours: 10,   // our assumption
		},
		// §4.2: 5 % of slow hours have twice the I/Os of the peers, and 5 % of the hours with twice
		// the I/Os are slow. So 0.58 % of all hours have twice the I/Os. The three shares for sizes
		// are 1.1 %, 0.2 % and 3.2 %.
		Imbalance: imbalance{Rate: 0.006, RateSlow: 0.05, Size: 0.036, SizeSlow: 0.011},
		Latency:   latency{Lowest: 120, Highest: 500, Own: 0.03, Noise: 0.05, Load: 0.1}, // our assumption
		Widths:    ssdWidths,
		Ages:      ssdAges,
		Models:    ssdModels,
	}
}

// ssdWidths have T16's range and its mean of 7.1 data drives (§3.2). The shape of the distribution
// is our assumption.
var ssdWidths = [Widest + 1]float64{
	3: 8, 4: 12, 5: 15, 6: 11, 7: 12, 8: 11, 9: 11, 10: 9, 11: 5, 12: 3, 13: 0.3, 14: 0.3, 15: 0.3, 16: 0.3,
	17: 0.3, 18: 0.3, 19: 0.2, 20: 0.2, 21: 0.2, 22: 0.2, 23: 0.2, 24: 0.1, 25: 0.1, 26: 0.2,
}

// ssdAges: 83 % are in their first two years, 16 % in the next two, and age makes no difference
// (§4.3.2, Finding 10).
var ssdAges = []age{
	{Share: 0.50, Slowdowns: 1},
	{Share: 0.33, Slowdowns: 1},
	{Share: 0.11, Slowdowns: 1},
	{Share: 0.05, Slowdowns: 1},
	{Share: 0.01, Slowdowns: 1},
}

// ssdModels: the model of 86 % of the SSDs is known. SLC and MLC are 60:40; all SLC come from one
// vendor, MLC from two vendors, 90:10. With a threshold of 1.5, SLC are stable in 99.5 % of the
// hours, MLC in 98.2 %, and MLC of the smaller vendor in 94.3 %. With a threshold of 2, SLC and MLC
// differ by 0.1 points (§4.3.3, Findings 11 and 12). The shares of slow hours here are a little
// larger, because faults that overlap count once.
//
// Latencies in ticks of 250 µs give 0.4 % of hours a slowdown of exactly 1.5, 2 or 3, and 0.6 % of
// longest tails exactly 2 (§4.1.2). A drive with a stable latency of one tick has no slowdown
// between 1 and 2. So SLC can have 0.5 % of hours at 1.5 and nearly as many at 2: most SLC drives
// report ticks.
var ssdModels = []model{
	{Share: 0.48, Slow: 0.0048, Mild: 0, TickUs: 250, LatencyUs: 250, Name: "A100S", Vendor: "A", Flash: "SLC", Interface: "SAS", CapacityGB: 100},
	{Share: 0.036, Slow: 0.0048, Mild: 0.006, Name: "A200S", Vendor: "A", Flash: "SLC", Interface: "SAS", CapacityGB: 200},
	{Share: 0.10, Slow: 0.0053, Mild: 0.0093, TickUs: 250, LatencyUs: 500, Name: "B200M", Vendor: "B", Flash: "MLC", Interface: "SATA", CapacityGB: 200},
	{Share: 0.21, Slow: 0.0053, Mild: 0.0093, Name: "B400M", Vendor: "B", Flash: "MLC", Interface: "SAS", CapacityGB: 400},
	{Share: 0.034, Slow: 0.0105, Mild: 0.06, Name: "C400M", Vendor: "C", Flash: "MLC", Interface: "SATA", CapacityGB: 400},
	{Share: 0.04, Slow: 0.0118, Mild: 0.0195, TickUs: 250, LatencyUs: 500},
	{Share: 0.10, Slow: 0.0118, Mild: 0.0195},
}
