package fleet

import "strconv"

// A Figure is a share of T16, from 0 to 1, beside the same share of a simulated fleet.
type Figure struct {
	Name string  `yaml:"figure"`
	T16  float64 `yaml:"t16"`
	Here float64 `yaml:"here"`
}

// figures returns the figures of T16 §4.1 that follow from the counts. Figures of repetition and
// extent hold for 87 days.
func (c *Counts) figures(kind Kind) []Figure {
	var out []Figure
	add := func(name string, disk, ssd float64, part, whole int64) {
		t16 := disk
		if kind == SSD {
			t16 = ssd
		}
		here := float64(part) / float64(max(1, whole))
		out = append(out, Figure{name, t16, round(here)})
	}
	add("drive hours with a slowdown of 1.5 or more", 0.007, 0.013, c.Slow15, c.DriveHours)
	add("drive hours with a slowdown of 2 or more", 0.0022, 0.0058, c.Slow2, c.DriveHours)
	add("drive hours with a slowdown of 9 or more", 0.0001, 0.0001, c.Slow9, c.DriveHours)
	add("drive hours with a slowdown of 30 or more", 0.00001, 0.00001, c.Slow30, c.DriveHours)
	add("hours of a RAID group in which at least one drive has a slowdown of 1.5 or more", 0.046, 0.048, c.Tail15, c.GroupHours)
	add("hours of a RAID group in which at least one drive has a slowdown of 2 or more", 0.0154, 0.0223, c.Tail1, c.GroupHours)
	add("hours of a RAID group in which at least two drives have a slowdown of 2 or more", 0.006, 0.014, c.Tail2, c.GroupHours)
	add("hours of a RAID group in which at least three drives have a slowdown of 2 or more", 0.003, 0.008, c.Tail3, c.GroupHours)
	add("slow periods longer than an hour", 0.40, 0.35, c.RunsPast1, c.Runs)
	add("slow periods of 8 hours or more", 0.13, 0.03, c.Runs8, c.Runs)
	add("slow hours at most a day after the previous slow hour of the same drive", 0.90, 0.85, c.RepeatsDay, c.Repeats)
	add("drives that were ever slow", 0.26, 0.29, c.EverSlow, c.DataDrives)
	add("drives that ever had a slowdown of 16 or more", 0.016, 0.025, c.Ever16, c.DataDrives)
	add("slow drives with fewer than 5 slow hours", 0.62, 0.70, c.Under5, c.EverSlow)
	add("slow drives with 100 slow hours or more", 0.06, 0.05, c.Over100, c.EverSlow)
	if kind == SSD {
		add("drive hours with a slowdown of exactly 1.5, 2 or 3", 0, 0.004, c.Exact, c.DriveHours)
	}
	return out
}

// round keeps four digits, which is more than the precision of a share.
func round(x float64) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	return short
}
