package fleet

// newDisks returns the behaviour of T16's 458,482 disks.
//
// T16's "occurrences of slowdown" are read as slow hours, not as runs of slow hours: 0.22 % of
// 1,890 hours are 16 hours for each of the 26 % of disks that were ever slow, and Finding 7 is
// possible only with this many occurrences. Finding 5 counts hours, too.
func newDisks() *behaviour {
	return &behaviour{
		Kind: Disk,
		// Finding 1, slowdown by quantile of the hours: 1.5 at 99.3 %, 2 at 99.78 %, 9 and more at
		// 99.99 %, 30 and more at 99.999 %. Of 857 M hours, 2,585 are at 100 and more, 124 of them
		// at 1,000 and more.
		Tail: tail{
			{mildAt, 0.007},
			{slowAt, 0.0022},
			{9.5, 1e-4},
			{32, 1e-5},
			{100, 3.02e-6},
			{1000, 1.45e-7},
			{9999, 1e-9},
		},
		// Finding 6: 1.6 % were ever 16 times slower. They would be more if the magnitude of each
		// run were independent.
		Memory: persistence{Fault: 0.35, Run: 0.5},
		// Finding 4: 40 % of runs last for more than an hour, 13 % for 8 hours and more. Finding 5:
		// 90 % of slow hours are within a day of the last slow hour, hence bouts.
		Chain: chain{Lasting: 0.21, StayBrief: 0.26, StayLasting: 0.93, Again: 0.5, Lull: 7},
		// Finding 7, and the 26 % of Finding 6: of the disks that were slow, 62 % were slow for
		// less than 5 hours, 6 % for 100 hours and more.
		Rare:     0.00049,
		Standing: []weak{{Drives: 0.09, Hours: 0.0055}, {Drives: 0.0215, Hours: 0.067}},
		// Finding 3: 1.54 % of group hours have a slow drive, 0.6 % a second slow drive, 0.3 % a
		// third.
		Spread: spread{Two: 0.40, Three: 0.52, More: 0.34},
		// Findings 14 and 15:
		//
		//   - 4 % of slow disks are unplugged within a day (3 % of mildly slow disks, and a larger share
		//     of severely slow disks).
		//   - 89 % of the unplugged disks are plugged in again. 54 % of these return within 2 hours, and
		//     90 % within 10 hours.
		//   - 18 % of the disks that return are slow again within a day.
		//
		// The parameters differ from these figures, because several slow periods of a disk may end
		// with one unplug, and because a disk without load does not show that it is slow again.
		Plug:   plugging{Slow: 0.0215, Mild: 0.0185, Severe: 0.25, Back: 0.89, Scale: 2.91, Shape: 0.676, Relapse: 0.2},
		Warned: 0.02, // §4.3.1: few slowdowns have an event near them; the number is our assumption
		Load: load{
			Lowest: 20_000, Highest: 400_000, Spread: 0.8,
			Step:      0.54, // our assumption: in an hour of ten, I/Os fall to half (T16: 12 % for SSDs)
			Dependent: 0.06, // Finding 13: I/Os fall to half 7 points more often if a drive becomes slow
			Idle:      0.09, // §3.2: 38,029 groups for 87 days are 79 M hours; 72 M were seen
			IdleHours: 10,   // our assumption
		},
		// §4.2: 5 % of slow hours have twice the I/Os of the peers, and 1 % of the hours with twice
		// the I/Os are slow. So 1.1 % of all hours have twice the I/Os. The three shares for sizes
		// are 2.5 %, 0.1 % and 5.5 %. Rate and Size are a little larger, because periods overlap.
		Imbalance: imbalance{Rate: 0.012, RateSlow: 0.05, Size: 0.063, SizeSlow: 0.025},
		// Our assumption: a few milliseconds, and small differences between disks of a model.
		Latency: latency{Lowest: 2500, Highest: 9000, Own: 0.03, Noise: 0.05, Load: 0.1},
		Widths:  diskWidths,
		Ages:    diskAges,
		Models:  diskModels,
	}
}

// diskWidths have T16's range and its mean of 12 data drives; more than 8 are common (§3.1). The
// shape of the distribution is our assumption.
var diskWidths = [Widest + 1]float64{
	3: 2, 4: 2, 5: 3, 6: 4, 7: 4, 8: 6, 9: 8, 10: 9, 11: 9, 12: 11, 13: 8, 14: 13, 15: 4, 16: 4,
	17: 2, 18: 2, 19: 1, 20: 2, 21: 1.5, 22: 1, 23: 0.5, 24: 0.5, 25: 0.5, 26: 1,
}

// diskAges: years 1 to 5 have 8 to 33 % of the disks each, the other years 0.02 to 3 %, the ninth
// year 0.11 % (§4.3.2). Older disks are slow more often (Finding 10): disks in their eighth year
// have a slowdown of 2.3 and more in 5 % of the hours. The ninth year is an outlier. The other
// values are our assumption.
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

// diskModels: the model of 70 % of the disks is known, and it makes no difference (§4.3.3). The
// names are invented.
var diskModels = []model{
	{Share: 0.30},
	{Share: 0.20, Name: "A7-1000", Vendor: "A", Interface: "SATA", RPM: 7200, CapacityGB: 1000},
	{Share: 0.15, Name: "A15-450", Vendor: "A", Interface: "FC", RPM: 15000, CapacityGB: 450},
	{Share: 0.13, Name: "B7-2000", Vendor: "B", Interface: "SATA", RPM: 7200, CapacityGB: 2000},
	{Share: 0.12, Name: "B10-600", Vendor: "B", Interface: "SAS", RPM: 10000, CapacityGB: 600},
	{Share: 0.10, Name: "C15-600", Vendor: "C", Interface: "SAS", RPM: 15000, CapacityGB: 600},
}
