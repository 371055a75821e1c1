package advice

// Prognosis is what slow drives did elsewhere: how likely it is that one recovers by
// itself, and what replacing gained. Shares are below 0 where they are not known.
type Prognosis struct {
	Source     string  // "The Tail at Store, FAST 2016, Findings 4, 5 and 15"
	Drives     string  // of what: "disks"
	OverHour   float64 // share of slow runs that are over within an hour
	OverEight  float64 // and within eight
	OverDay    float64 // and within a day
	AgainDay   float64 // share of slow hours that come within a day of another
	BackSlow   float64 // share of drives that were taken out, put back, and slow again within a day
	SavedHours float64 // slow hours that replacing a drive at its tenth slow hour saved; below 0 where it is not known
}

// Published is what T16 found, of disks or of SSDs.
func Published(ssd bool) *Prognosis {
	o := &Prognosis{Source: "The Tail at Store, FAST 2016, Findings 4, 5 and 15", OverDay: -1, SavedHours: -1}
	if ssd {
		o.Drives, o.OverHour, o.OverEight, o.AgainDay, o.BackSlow = "SSDs", 0.65, 0.97, 0.85, 0.35
		return o
	}
	o.Drives, o.OverHour, o.OverEight, o.AgainDay, o.BackSlow = "disks", 0.60, 0.87, 0.90, 0.18
	return o
}
