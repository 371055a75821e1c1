package study

// A Published is a figure of T16 for disks and for SSDs; none if T16 has no number.
type Published struct {
	Source    string // finding or section
	disk, ssd float64
}

const none = -1

// Drive hours of T16 (§3.2). They are the denominators of figures that T16 gives as numbers of
// hours.
const (
	t16DiskHours = 857e6
	t16SSDHours  = 7e6
)

// T16 returns the figures of T16, by the names of our figures.
func T16() map[string]Published {
	return map[string]Published{
		"slow-hours-1.5":      {"Finding 1", 0.007, 0.013},
		"slow-hours-2":        {"Finding 1", 0.0022, 0.0058},
		"four-nines":          {"Finding 1", 9, 9},
		"five-nines":          {"Finding 1", 30, 30},
		"three-digits":        {"Finding 1", 2461 / t16DiskHours, 10 / t16SSDHours},
		"four-digits":         {"Finding 1", 124 / t16DiskHours, none},
		"tail-hours-1.5":      {"Finding 2", 0.046, 0.048},
		"tail-hours-2":        {"Finding 2", 0.0154, 0.0223},
		"second-tail-2":       {"Finding 3", 0.006, 0.014},
		"third-tail-2":        {"Finding 3", 0.003, 0.008},
		"exact-ratios":        {"§4.1.2", none, 0.004},
		"exact-tail":          {"§4.1.2", none, 0.006},
		"persist-2":           {"Finding 4", 0.40, 0.35},
		"persist-8h-2":        {"Finding 4", 0.13, 0.03},
		"again-2":             {"Finding 5", 0.90, 0.85},
		"ever-2":              {"Finding 6", 0.26, 0.29},
		"ever-16":             {"Finding 6", 0.016, 0.025},
		"often-2":             {"Finding 7", 0.06, 0.05},
		"seldom-2":            {"Finding 7", 0.62, 0.70},
		"busy-in-slow-2":      {"Finding 8", 0.05, 0.05},
		"slow-in-busy-2":      {"Finding 8", 0.01, 0.05},
		"large-in-slow-2":     {"Finding 8", 0.025, 0.011},
		"slow-in-large-2":     {"Finding 8", 0.001, 0.002},
		"complaints-dead-2":   {"§4.3.1", 0.90, 0.90},
		"fall-stable-2":       {"Finding 13", none, 0.12},
		"fall-more-2":         {"Finding 13", 0.07, 0.23},
		"unplugged-slow":      {"Finding 14", 0.04, 0.08},
		"unplugged-mild":      {"Finding 14", 0.03, 0.06},
		"replugged":           {"Finding 15", 0.89, 1.00},
		"replugged-2h":        {"Finding 15", 0.54, 0.61},
		"replugged-10h":       {"Finding 15", 0.90, 0.97},
		"recur":               {"Finding 15", 0.18, 0.35},
		"eighth-year-p95":     {"Finding 10", 2.3, none},
		"hour-of-day-night-2": {"§4.3.3", 1, 1},
		"flash-slc-1.5":       {"Finding 11", none, 0.005},
		"flash-mlc-1.5":       {"Finding 11", none, 0.018},
		"worst-vendor-1.5":    {"Finding 12", none, 0.057},
	}
}

// Of returns the figure for a direction and kind; nil if T16 has none. T16 has figures only for
// reads and writes together (§3.3).
func (p Published) Of(d Direction, k Kind) *float64 {
	v := p.disk
	if k == SSD {
		v = p.ssd
	}
	if p.Source == "" || v == none || k == Unknown || d != All {
		return nil
	}
	return &v
}
