package fleet

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// A Role is the role of a drive in its group.
type Role string

// The roles. Parity is not rotated (T16 §3.1).
const (
	Data   Role = "data"
	Parity Role = "parity"
)

// A Drive is a drive in the inventory. Fields that its owner did not report are empty.
type Drive struct {
	Name       string // group and slot
	Group      string
	Slot       int // in the group, from 1
	Role       Role
	Kind       Kind
	RAID       string // raid6, raid4 or raid0
	Model      string
	Vendor     string
	Flash      string // SLC or MLC
	Interface  string // SATA, SAS or FC
	RPM        int    // 0 for SSDs
	CapacityGB int
	Deployed   time.Time
}

// A model describes drives of one model. All drives of a group have the same model (T16 §3.1). If
// the model is unknown, all fields are empty.
type model struct {
	Name       string  `yaml:"model"`
	Vendor     string  `yaml:"vendor,omitempty"`
	Flash      string  `yaml:"flash,omitempty"`
	Interface  string  `yaml:"interface,omitempty"`
	RPM        int     `yaml:"rpm,omitempty"`
	CapacityGB int     `yaml:"capacity_gb,omitempty"`
	Share      float64 `yaml:"share"`                // share of the groups
	Slow       float64 `yaml:"slow,omitempty"`       // share of hours that are slow; 0: as all drives
	Mild       float64 `yaml:"mild,omitempty"`       // share of hours that are mildly slow
	TickUs     float64 `yaml:"tick_us,omitempty"`    // latencies are multiples of TickUs; 0: any latency
	LatencyUs  float64 `yaml:"latency_us,omitempty"` // usual latency; 0: as all drives
}

// A raid is a RAID level with its frequency.
type raid struct {
	name   string
	parity int
	share  float64
}

// raids are the RAID levels of T16 §3.1.
var raids = []raid{{"raid6", 2, 0.95}, {"raid0", 0, 0.04}, {"raid4", 1, 0.01}}

// A layout has the permanent properties of a group.
type layout struct {
	drives []Drive
	data   int
	model  *model
	years  []int // year of its life, by drive; 1: the first
	year   int   // year of most drives
}

const (
	// One drive in ten is younger than its group: failed drives are replaced, but most drives of a
	// group have the same age (T16 §3.1).
	replaced = 0.1
	oneYear  = 365.25 * hoursPerDay * time.Hour
)

func newLayout(rng *rand.Rand, o *Options, b *behaviour, name string) *layout {
	l := &layout{data: drawWidth(rng, o, b)}
	l.model = &b.Models[choose(rng, len(b.Models), func(i int) float64 { return b.Models[i].Share })]
	r := raids[choose(rng, len(raids), func(i int) float64 { return raids[i].share })]
	l.year = 1 + choose(rng, len(b.Ages), func(i int) float64 { return b.Ages[i].Share })
	age := rng.Float64()
	for range l.data + r.parity {
		l.add(o, b, name, r, l.drawYear(rng), age)
	}
	return l
}

func drawWidth(rng *rand.Rand, o *Options, b *behaviour) int {
	n := o.MaxDataDrives - o.MinDataDrives + 1
	return o.MinDataDrives + choose(rng, n, func(i int) float64 { return b.Widths[o.MinDataDrives+i] })
}

func (l *layout) drawYear(rng *rand.Rand) int {
	if rng.Float64() < replaced {
		return 1 + rng.IntN(l.year)
	}
	return l.year
}

// add adds a drive in the years-th year of its life. Age is the time since the start of this year,
// from 0 to 1; it is scaled so that the drive stays in this year for all simulated days, if these
// are less than a year.
func (l *layout) add(o *Options, b *behaviour, group string, r raid, years int, age float64) {
	m, slot := l.model, len(l.drives)+1
	room := max(0, oneYear-time.Duration(o.Days+1)*hoursPerDay*time.Hour)
	lived := time.Duration(years-1)*oneYear + time.Duration(age*float64(room))
	role := Data
	if slot > l.data {
		role = Parity
	}
	l.years = append(l.years, years)
	l.drives = append(l.drives, Drive{
		Name: fmt.Sprintf("%s-%02d", group, slot), Group: group, Slot: slot,
		Role: role, Kind: b.Kind, RAID: r.name,
		Model: m.Name, Vendor: m.Vendor, Flash: m.Flash, Interface: m.Interface,
		RPM: m.RPM, CapacityGB: m.CapacityGB,
		Deployed: o.Start.Add(-lived).UTC().Truncate(hoursPerDay * time.Hour),
	})
}
