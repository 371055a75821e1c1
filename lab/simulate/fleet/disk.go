package fleet

// newDisks returns the behaviour of T16's 458,482 disks.
//
// T16's occurrences of slowdown are taken as slow hours, not runs of them:
// 0.22 % of 1,890 hours are 16 hours for each of the 26 % of disks that were
// ever slow, and Finding 7 needs all of them. Finding 5 counts hours as well.
func newDisks() *behaviour {
	return &behaviour{
		Kind: Disk,
		// Finding 1: 1.5 at 99.3 %, 2 at 99.78 %, 9 and more at four nines, 30 and
		// more at five; 2,461 + 124 hours of 857 M at 100, 124 at 1,000.
		Tail: tail{
			{mildAt, 0.007},
			{slowAt, 0.0022},
			{9.5, 1e-4},
			{32, 1e-5},
			{100, 3.02e-6},
			{1000, 1.45e-7},
			{9999, 1e-9},
		},
		// Finding 6: 1.6 % were ever 16 times slower, fewer than if each run's
		// magnitude were drawn anew.
		Memory: persistence{Fault: 0.35, Run: 0.5},
		// Finding 4: 40 % of runs go on past an hour, 13 % for 8 hours and more.
		// Finding 5: 90 % of slow hours within a day of the last, hence bouts.
		Chain: chain{Lasting: 0.21, StayBrief: 0.26, StayLasting: 0.93, Again: 0.5, Lull: 7},
		// Finding 7, and Finding 6's 26 %: 62 % of the disks that were slow were so
		// for less than 5 hours, 6 % for 100 and more.
		Rare:     0.00049,
		Standing: []weak{{Drives: 0.09, Hours: 0.0055}, {Drives: 0.0215, Hours: 0.067}},
		// Finding 3: of 1.54 % tail hours 0.6 % have a second slow drive and 0.3 % a
		// third.
		Spread: spread{Two: 0.40, Three: 0.52, More: 0.34},
		// Findings 14 and 15: 4 % unplugged within a day, 3 % of mild ones, more of
		// severe ones; 89 % replugged, of those 54 % within 2 hours and 90 % within
		// 10; 18 % slow again within a day. Runs that come together share an unplug,
		// and idle hours hide a relapse: chances are set accordingly.
		Plug:   plugging{Slow: 0.0215, Mild: 0.0185, Severe: 0.25, Back: 0.89, Scale: 2.91, Shape: 0.676, Relapse: 0.2},
		Warned: 0.02, // §4.3.1: slowdowns with an event near are few; how few is ours
		Load: load{
			Lowest: 20_000, Highest: 400_000, Spread: 0.8,
			Step:      0.54, // ours: I/Os fall to half in an hour of ten (T16 has 12 % for SSDs)
			Dependent: 0.06, // Finding 13: 7 points more often when a drive becomes slow
			Idle:      0.09, // §3.2: 38,029 groups for 87 days are 79 M hours, 72 M were seen
			IdleHours: 10,   // ours
		},
		// §4.2: 5 % of slow hours have twice the I/Os of the peers, and 1 % of such
		// hours are slow; so they are 1.1 % of all. With sizes: 2.5 %, 0.1 % and 5.5 %.
		// Rate and Size are a little more, for spells that meet.
		Imbalance: imbalance{Rate: 0.012, RateSlow: 0.05, Size: 0.063, SizeSlow: 0.025},
		// Ours: a few milliseconds, and like disks are less than alike.
		Latency: latency{Lowest: 2500, Highest: 9000, Own: 0.03, Noise: 0.05, Load: 0.1},
		Widths:  diskWidths,
		Ages:    diskAges,
		Models:  diskModels,
	}
}

// diskWidths have T16's range and its mean of 12 data drives; more than 8 are
// common (§3.1). Their shape is ours.
var diskWidths = [Widest + 1]float64{
	3: 2, 4: 2, 5: 3, 6: 4, 7: 4, 8: 6, 9: 8, 10: 9, 11: 9, 12: 11, 13: 8, 14: 13, 15: 4, 16: 4,
	17: 2, 18: 2, 19: 1, 20: 2, 21: 1.5, 22: 1, 23: 0.5, 24: 0.5, 25: 0.5, 26: 1,
}

// diskAges: years 1 to 5 have 8 to 33 % of the disks each, the others 0.02 to
// 3 %, the ninth 0.11 % (§4.3.2). Older disks are slow more often (Finding 10),
// those in their eighth year 2.3 times and more in 5 % of the hours; the ninth
// is an outlier. The rest of the slope is ours.
var diskAges = []age{
	{Share: 0.25, Slowdowns: 0.7},
	{Share: 0.33, Slowdowns: 0.85},
	{Share: 0.19, Slowdowns: 1},
	{Share: 0.11, Slowdowns: 1.2},
	{Share: 0.08, Slowdowns: 1.6},
	{Share: 0.03, Slowdowns: 2.5},
	{Share: 0.006, Slowdowns: 5},
	{Share: 0.0025, Slowdowns: 32},
	{Share: 0.0011, Slowdowns: 2},
	{Share: 0.0002, Slowdowns: 6},
}

// diskModels: 70 % of the disks have one on file, and it makes no difference
// (§4.3.3). Names are ours.
var diskModels = []model{
	{Share: 0.30},
	{Share: 0.20, Name: "A7-1000", Vendor: "A", Interface: "SATA", RPM: 7200, CapacityGB: 1000},
	{Share: 0.15, Name: "A15-450", Vendor: "A", Interface: "FC", RPM: 15000, CapacityGB: 450},
	{Share: 0.13, Name: "B7-2000", Vendor: "B", Interface: "SATA", RPM: 7200, CapacityGB: 2000},
	{Share: 0.12, Name: "B10-600", Vendor: "B", Interface: "SAS", RPM: 10000, CapacityGB: 600},
	{Share: 0.10, Name: "C15-600", Vendor: "C", Interface: "SAS", RPM: 15000, CapacityGB: 600},
}
