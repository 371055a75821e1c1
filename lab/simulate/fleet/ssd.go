package fleet

// newSSDs returns the behaviour of T16's 4,069 SSDs.
//
// Two sets of T16's figures cannot be met together. In 4.43 % of group hours
// taken together there is a first, second or third slow drive, but 0.58 % of
// the hours of 7.1 drives are 4.1 %: tail hours are up to a tenth fewer here.
// And 60 % SLC with 0.5 % of hours at 1.5 and 40 % MLC with 1.8 % make 1.0 %,
// not 1.3 %: the SSDs whose model is not known have the rest.
func newSSDs() *behaviour {
	return &behaviour{
		Kind: SSD,
		// Finding 1: 1.5 at 98.7 %, 2 at 99.42 %, 9 and more at four nines, 30 and
		// more at five, 10 hours of 7 M at 100.
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
		// Finding 4: 35 % of runs go on past an hour, 3 % for 8 hours and more.
		// Finding 5: 85 % of slow hours within a day of the last.
		Chain: chain{Lasting: 0.14, StayBrief: 0.277, StayLasting: 0.8, Again: 0.05, Lull: 7},
		// Findings 6 and 7: 29 % were ever slow, of these 70 % for less than 5 hours
		// and 5 % for 100 and more. That leaves few drives with most of the slow
		// hours: a third of theirs.
		Rare:     0.00031,
		Standing: []weak{{Drives: 0.065, Hours: 0.034}, {Drives: 0.0135, Hours: 0.315}},
		// Finding 3: of 2.23 % tail hours 1.4 % have a second slow drive and 0.8 % a
		// third, so nearly as many as a group's width allows.
		Spread: spread{Two: 0.85, Three: 0.85, More: 0.02},
		// Findings 14 and 15: 8 % unplugged within a day, 6 % of mild ones, no more
		// of severe ones; all replugged, 61 % within 2 hours and 97 % within 10;
		// 35 % slow again within a day. As with disks, chances are set for that.
		Plug:   plugging{Slow: 0.027, Mild: 0.02, Severe: 0, Back: 1, Scale: 2.15, Shape: 0.817, Relapse: 0.38},
		Warned: 0.02, // §4.3.1, as with disks
		Load: load{
			Lowest: 100_000, Highest: 4_000_000, Spread: 0.8,
			Step:      0.59, // Finding 13: I/Os fall to half in 12 % of the hours
			Dependent: 0.27, // and 23 points more often when a drive becomes slow
			Idle:      0.09, // as with disks; T16's SSD hours are too round to tell
			IdleHours: 10,   // ours
		},
		// §4.2: 5 % of slow hours have twice the I/Os of the peers, and 5 % of such
		// hours are slow; so they are 0.58 % of all. With sizes: 1.1 %, 0.2 % and 3.2 %.
		Imbalance: imbalance{Rate: 0.006, RateSlow: 0.05, Size: 0.036, SizeSlow: 0.011},
		Latency:   latency{Lowest: 120, Highest: 500, Own: 0.03, Noise: 0.05, Load: 0.1}, // ours
		Widths:    ssdWidths,
		Ages:      ssdAges,
		Models:    ssdModels,
	}
}

// ssdWidths have T16's range and its mean of 7.1 data drives (§3.2). Their
// shape is ours.
var ssdWidths = [Widest + 1]float64{
	3: 8, 4: 12, 5: 15, 6: 11, 7: 12, 8: 11, 9: 11, 10: 9, 11: 5, 12: 3, 13: 0.3, 14: 0.3, 15: 0.3, 16: 0.3,
	17: 0.3, 18: 0.3, 19: 0.2, 20: 0.2, 21: 0.2, 22: 0.2, 23: 0.2, 24: 0.1, 25: 0.1, 26: 0.2,
}

// ssdAges: 83 % are in their first two years, 16 % in the next two, and age
// makes no difference (§4.3.2, Finding 10).
var ssdAges = []age{
	{Share: 0.50, Slowdowns: 1},
	{Share: 0.33, Slowdowns: 1},
	{Share: 0.11, Slowdowns: 1},
	{Share: 0.05, Slowdowns: 1},
	{Share: 0.01, Slowdowns: 1},
}

// ssdModels: 86 % have one on file, SLC and MLC 60:40, all SLC by one vendor,
// MLC by two, 90:10. At 1.5 SLC is stable in 99.5 % of the hours, MLC in 98.2 %,
// the smaller vendor's in 94.3 %; at 2 the two are 0.1 points apart (§4.3.3,
// Findings 11 and 12). The shares of hours are a little above these, for what
// is lost where faults meet.
//
// Latencies in ticks of 250 µs put 0.4 % of hours at a slowdown of exactly 1.5,
// 2 or 3, and 0.6 % of longest tails at exactly 2 (§4.1.2). A drive whose
// stable latency is one tick has no slowdown between 1 and 2, which is how SLC
// can have 0.5 % at 1.5 and hardly less at 2: most of its drives tick.
var ssdModels = []model{
	{Share: 0.48, Slow: 0.0048, Mild: 0, TickUs: 250, LatencyUs: 250, Name: "A100S", Vendor: "A", Flash: "SLC", Interface: "SAS", CapacityGB: 100},
	{Share: 0.036, Slow: 0.0048, Mild: 0.006, Name: "A200S", Vendor: "A", Flash: "SLC", Interface: "SAS", CapacityGB: 200},
	{Share: 0.10, Slow: 0.0053, Mild: 0.0093, TickUs: 250, LatencyUs: 500, Name: "B200M", Vendor: "B", Flash: "MLC", Interface: "SATA", CapacityGB: 200},
	{Share: 0.21, Slow: 0.0053, Mild: 0.0093, Name: "B400M", Vendor: "B", Flash: "MLC", Interface: "SAS", CapacityGB: 400},
	{Share: 0.034, Slow: 0.0105, Mild: 0.06, Name: "C400M", Vendor: "C", Flash: "MLC", Interface: "SATA", CapacityGB: 400},
	{Share: 0.04, Slow: 0.0118, Mild: 0.0195, TickUs: 250, LatencyUs: 500},
	{Share: 0.10, Slow: 0.0118, Mild: 0.0195},
}
