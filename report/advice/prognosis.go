package advice

// Prognosis holds experience with other slow drives: how many recovered by themselves, and how much
// a replacement improved. A negative share is unknown.
type Prognosis struct {
	Source     string  // "The Tail at Store, FAST 2016, Findings 4, 5 and 15"
	Drives     string  // the drives: "disks"
	OverHour   float64 // share of slow periods that end within an hour
	OverEight  float64 // share of slow periods that end within eight hours
	OverDay    float64 // share of slow periods that end within a day
	AgainDay   float64 // share of slow hours with another slow hour within a day
	BackSlow   float64 // share of drives that were taken out and put back, and were slow again within a day
	SavedHours float64 // slow hours that replacing a drive at its tenth slow hour saved; negative: unknown
}

// Published returns the results of T16 for disks or for SSDs.
func Published(ssd bool) *Prognosis {
	o := &Prognosis{Source: "The Tail at Store, FAST 2016, Findings 4, 5 and 15", OverDay: -1, SavedHours: -1}
	if ssd {
		o.Drives, o.OverHour, o.OverEight, o.AgainDay, o.BackSlow = "SSDs", 0.65, 0.97, 0.85, 0.35
		return o
	}
	o.Drives, o.OverHour, o.OverEight, o.AgainDay, o.BackSlow = "disks", 0.60, 0.87, 0.90, 0.18
	return o
}
