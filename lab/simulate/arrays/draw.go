package arrays

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/yamlfile"
	"github.com/limpet-storage/limpet/topology"
)

// Drawn is a fault that was drawn at random.
type Drawn struct {
	Mechanism string
	Component string // component that would have to be repaired
	Entry     string // entry of an events file that repeats this fault
	Events    []Event
}

// Faults begin after enough normal data, and early enough that the weakest of them show. One in
// three of the faults that show at once is repaired, so other faults begin during it or shortly
// after it.
const (
	drawnEarliest, drawnLatest       = 6 * time.Hour, 20 * time.Hour
	repairedSoonest, repairedLongest = 6 * time.Hour, 18 * time.Hour
	repaired                         = 1.0 / 3
)

// attempts is the largest number of draws for a scenario. A fault that conflicts with the others is
// drawn again.
const attempts = 1000

// Draw draws faults for the scenario, in the order in which they begin. All mechanisms of L13's
// events are equally likely, on any component. Their strength varies around the strength of the
// published events. Several faults may be in one array, but no fault may hide another one:
//
//   - No path is lost twice.
//   - No LUN is slow for two reasons.
//   - No LUN is left without a path.
//   - No LUN needs a standby path that is slow by itself.
func (s *Scenario) Draw(faults int) ([]Drawn, error) {
	if s.End.Sub(s.Start) <= drawnLatest {
		return nil, fmt.Errorf("a run of %v is too short, because faults begin in the first %v of a run: make the run longer", s.End.Sub(s.Start), drawnLatest)
	}
	system, err := s.System()
	if err != nil {
		return nil, err
	}
	d := &drawing{scenario: s, system: system, rng: s.source("drawn faults")}
	for range attempts {
		if len(d.drawn) == faults {
			slices.SortStableFunc(d.drawn, func(a, b Drawn) int { return a.Events[0].From.Compare(b.Events[0].From) })
			return d.drawn, nil
		}
		if err := d.draw(); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("the storage system is too small for %d faults at the same time: choose fewer faults, or simulate more arrays", faults)
}

// drawing holds the state while the faults of a scenario are drawn.
type drawing struct {
	scenario *Scenario
	system   *topology.System
	rng      random
	drawn    []Drawn
	done     []*damage // damage of each drawn fault
}

// draw draws a fault, and keeps it if it does not conflict with the others.
func (d *drawing) draw() error {
	drawn := drawables[d.rng.IntN(len(drawables))]
	entry := fmt.Sprintf("{at: %v, mechanism: %s, %s", d.hours(drawnEarliest, drawnLatest), drawn.mechanism, drawn.draw(d))
	if over := d.hours(repairedSoonest, repairedLongest); d.rng.Float64() < repaired && drawn.atOnce {
		entry += fmt.Sprintf(", for: %v", over)
	}
	entry += "}"
	events, err := d.parse(entry)
	if err != nil {
		return err
	}
	fault := Drawn{drawn.mechanism, events[0].describe().Component, entry, events}
	if damage := d.damage(&fault); !slices.ContainsFunc(d.done, damage.hides) && !d.cutsOff(damage) {
		d.drawn, d.done = append(d.drawn, fault), append(d.done, damage)
	}
	return nil
}

func (d *drawing) parse(entry string) ([]Event, error) {
	r := &eventReader{Decoder: yamlfile.New("drawn"), scenario: d.scenario, system: d.system, struck: map[string][]struck{}}
	var events []Event
	for _, n := range r.entries([]byte("events: [" + entry + "]")) {
		events = append(events, r.read(n)...)
	}
	return events, r.Err()
}

// A drawable is a mechanism, with a function that draws its components and its strength.
type drawable struct {
	mechanism string
	atOnce    bool // it shows at once, and may be repaired soon
	draw      func(*drawing) string
}

var drawables = []drawable{
	{"failed controller", true, func(d *drawing) string { return d.one(d.system.Controllers) }},
	{"server down", true, func(d *drawing) string { return d.one(d.system.Servers) }},
	{"service down", true, func(d *drawing) string {
		return fmt.Sprintf("%s, reboot: %v", d.one(d.system.Servers), times(time.Minute, d.between(3, 10)).Round(time.Second))
	}},
	{"lost luns", true, (*drawing).lostLUNs},
	{"incoherent controllers", true, func(d *drawing) string {
		if d.rng.IntN(2) == 0 {
			return d.one(d.system.Arrays) + ", leaves: missing" // as on 2011-11-14
		}
		return d.one(d.system.Controllers) + ", leaves: zero" // as on 2011-08-08
	}},
	{"drawer errors", true, (*drawing).drawer},
	{"slow lun", false, func(d *drawing) string {
		return fmt.Sprintf("%s, factor: %.2f", d.one(d.system.LUNs), d.between(1.4, 4))
	}},
	{"busy lun", false, func(d *drawing) string {
		way := []string{"reads", "writes"}[d.rng.IntN(2)]
		return fmt.Sprintf("%s, %s: {per_second: %.0f, kib: 1024}", d.one(d.system.LUNs), way, d.between(30, 60)) // speed at which a LUN can stream
	}},
	{"internal load", false, (*drawing).internalLoad},
}

// lostLUNs draws two or three servers that lose LUNs. They are behind both controllers: if they
// were behind one controller, this controller would be an equally good answer.
func (d *drawing) lostLUNs() string {
	array := d.pick(d.system.Arrays)
	_, servers, _ := (&eventReader{system: d.system}).inside(array)
	slices.SortFunc(servers, topology.Compare)
	half := len(servers) / 2
	chosen := []string{d.pick(servers[:half]), d.pick(servers[half:])}
	if other := d.pick(servers); d.rng.IntN(2) == 0 && !slices.Contains(chosen, other) {
		chosen = append(chosen, other)
	}
	slices.SortFunc(chosen, topology.Compare)
	return fmt.Sprintf("components: [%s], of: %s", strings.Join(chosen, ", "), array)
}

// drawer draws an array with drawer errors on 11 to 60 of 72 LUNs (L13 Table 6). The frequency and
// the duration of the errors are those of the published events.
func (d *drawing) drawer() string {
	luns := float64(len(d.system.LUNs)) / float64(len(d.system.Arrays))
	return fmt.Sprintf("%s, luns: %.0f", d.one(d.system.Arrays), max(1, luns*d.between(11, 60)/72))
}

// internalLoad draws a standby path.
func (d *drawing) internalLoad() string {
	standby := (&eventReader{system: d.system}).attachments(func(c *topology.Component) bool { return c.Priority > 1 })
	return fmt.Sprintf("%s, per_second: %.2f, await: %.0fms", d.one(standby), d.between(0.3, 1), d.between(15, 50))
}

func (d *drawing) one(names []string) string { return fmt.Sprintf("components: %q", d.pick(names)) }

func (d *drawing) pick(names []string) string { return names[d.rng.IntN(len(names))] }

func (d *drawing) between(low, high float64) float64 { return low + (high-low)*d.rng.Float64() }

func (d *drawing) hours(low, high time.Duration) time.Duration {
	return (low + times(high-low, d.rng.Float64())).Round(time.Second)
}
