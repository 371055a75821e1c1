package action

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/yamlfile"
	"github.com/limpet-storage/limpet/topology"
)

// Mode is the degree to which limpet may act by itself.
type Mode string

// The modes.
const (
	Off     Mode = "off"
	Propose Mode = "propose" // show the action, and run nothing
	Ask     Mode = "ask"     // run the commands after an operator's yes
	Do      Mode = "do"      // run the commands
)

// Effect is the effect of an action on a part.
type Effect string

// The effects of actions.
const (
	// Relieve keeps reads away from a part. Writes still reach the part, so no redundancy is lost.
	Relieve Effect = "relieve"
	// TakeOut takes a part out of use. Its group has one copy or parity less until the part is back.
	TakeOut Effect = "take out"
)

// Effects returns all effects, the harmless one first.
func Effects() []Effect { return []Effect{Relieve, TakeOut} }

// Policy holds the rules and limits that an operator sets for actions.
type Policy struct {
	Mode          Mode
	Stop          bool  // refuse every action
	MostAtOnce    int   // largest number of actions under way
	MostAnHour    int   // largest number of actions that begin within an hour
	PauseSeconds  int64 // time without actions after an action that did not help
	VerifySeconds int64 // time within which an action must have helped; otherwise it is reversed
	AskSeconds    int64 // time for which an action waits for an operator's yes
	Rules         []Rule
	External      []External // drivers that the site has written
}

// Acts reports whether the policy lets limpet run commands for any part.
func (p *Policy) Acts() bool {
	return p != nil && p.Mode != Off && slices.ContainsFunc(p.Rules, func(u Rule) bool { return u.Mode == Ask || u.Mode == Do })
}

// Proposes reports whether limpet shows actions for some parts and runs none for any part.
func (p *Policy) Proposes() bool {
	return p != nil && p.Mode != Off && !p.Acts() && slices.ContainsFunc(p.Rules, func(u Rule) bool { return u.Mode == Propose })
}

// Rule holds the permissions of an operator for some parts of the topology. The first rule that
// covers a part decides. An empty list of names covers everything.
type Rule struct {
	Mode          Mode
	Storage       []string // kinds of storage, see [topology.StorageKinds]
	Pools         []string // patterns of [path.Match], like Servers and Components
	Servers       []string
	Components    []string
	Kinds         []finding.Kind // kinds of incidents
	Effects       []Effect
	Suspects      bool    // act on suspects too
	TimesSlower   float64 // smallest ratio to the peers (lower end of the interval) for an action; ignored for kinds without a ratio
	LastedSeconds int64   // time that the problem must have lasted
	Hours         Hours
}

// Hours is a part of each day, in minutes after midnight UTC. FromMinute is later than ToMinute if
// the hours include midnight. The zero value is the whole day.
type Hours struct{ FromMinute, ToMinute int }

// Contains reports whether a Unix time is within the hours.
func (h Hours) Contains(unix int64) bool {
	at := time.Unix(unix, 0).UTC()
	minute := at.Hour()*60 + at.Minute()
	switch {
	case h.FromMinute == h.ToMinute:
		return true
	case h.FromMinute < h.ToMinute:
		return h.FromMinute <= minute && minute < h.ToMinute
	}
	return minute >= h.FromMinute || minute < h.ToMinute
}

func (h Hours) String() string {
	return fmt.Sprintf("%02d:%02d-%02d:%02d UTC", h.FromMinute/60, h.FromMinute%60, h.ToMinute/60, h.ToMinute%60)
}

// Kinds returns the kinds of incident that an action can mask: one part is slow, and other parts
// can do its work.
func Kinds() []finding.Kind {
	return []finding.Kind{finding.SlowDrive, finding.SingleLUN, finding.SlowTail, finding.StalledRequests, finding.DiskBusy}
}

// DefaultPolicy returns the policy of an empty file: nothing is done or proposed.
func DefaultPolicy() Policy {
	return Policy{Mode: Off, MostAtOnce: 1, MostAnHour: 2, PauseSeconds: shortestPauseSeconds, VerifySeconds: 10 * 60, AskSeconds: 60 * 60}
}

// defaultRule returns the rule of a policy without settings. It covers all parts, and its actions
// lose no redundancy.
func defaultRule(m Mode) Rule {
	return Rule{Mode: m, Kinds: []finding.Kind{finding.SlowDrive, finding.SingleLUN}, Effects: []Effect{Relieve}, TimesSlower: 1.5, LastedSeconds: 15 * 60}
}

// Bounds of settings that are not caps.
const (
	leastTimes, mostTimes = 1, 1000
	longestLasted         = 30 * 24 * time.Hour
	longestPause          = 30 * 24 * time.Hour
	// An action changes the latencies after a few steps. After two hours, other causes change them
	// too.
	leastVerify, mostVerify = 3, 120
	leastAsk, mostAsk       = 1, 7 * 24 * 60
)

// ParsePolicy parses a policy file. The name is for error messages.
func ParsePolicy(name string, data []byte) (*Policy, error) {
	r := &reader{yamlfile.New(name)}
	p := DefaultPolicy()
	f := r.Fields(r.Root(data, "mode: propose"), "the policy file", "mode", "stop", "most_at_once", "most_an_hour", "pause", "verify_minutes", "ask_minutes", "rules", "drivers")
	p.Mode = r.mode(f["mode"], Off)
	p.Stop = r.yes(f["stop"])
	r.value(f["most_at_once"], bounded.Int(&p.MostAtOnce, 1, capAtOnce, "actions"))
	r.value(f["most_an_hour"], bounded.Int(&p.MostAnHour, 1, capAnHour, "actions"))
	r.seconds(f["pause"], &p.PauseSeconds, shortestPauseSeconds*time.Second, longestPause)
	r.minutes(f["verify_minutes"], &p.VerifySeconds, leastVerify, mostVerify)
	r.minutes(f["ask_minutes"], &p.AskSeconds, leastAsk, mostAsk)
	for _, n := range r.Entries(f["rules"], "rules") {
		p.Rules = append(p.Rules, r.rule(n, p.Mode))
	}
	for _, n := range r.Entries(f["drivers"], "drivers") {
		e := r.external(n)
		if slices.ContainsFunc(p.External, func(x External) bool { return x.Storage == e.Storage && x.Effect == e.Effect }) {
			r.Errorf(n, "there are two drivers for the storage %s and the effect %s: remove one driver", e.Storage, e.Effect)
		}
		p.External = append(p.External, e)
	}
	if f["rules"] == nil {
		p.Rules = []Rule{defaultRule(p.Mode)}
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return &p, nil
}

// reader reads values of a policy. A missing setting keeps its default.
type reader struct{ *yamlfile.Decoder }

func (r *reader) rule(n *yaml.Node, m Mode) Rule {
	f := r.Fields(n, "a rule", "mode", "storage", "pools", "servers", "components", "kinds", "effects", "suspects", "times_slower", "lasted", "hours_utc")
	u := defaultRule(m)
	u.Mode = r.mode(f["mode"], m)
	u.Storage = some(r, f["storage"], "a kind of storage", topology.StorageKinds())
	u.Pools, u.Servers, u.Components = r.patterns(f["pools"]), r.patterns(f["servers"]), r.patterns(f["components"])
	if f["kinds"] != nil {
		u.Kinds = some(r, f["kinds"], "a kind of incident for which limpet has an action", Kinds())
	}
	if f["effects"] != nil {
		u.Effects = some(r, f["effects"], "an effect", Effects())
	}
	u.Suspects = r.yes(f["suspects"])
	r.value(f["times_slower"], bounded.Float(&u.TimesSlower, leastTimes, mostTimes, "times"))
	r.seconds(f["lasted"], &u.LastedSeconds, 0, longestLasted)
	u.Hours = r.hours(f["hours_utc"])
	return u
}

func (r *reader) mode(n *yaml.Node, otherwise Mode) Mode {
	if n == nil {
		return otherwise
	}
	m := Mode(r.Text(n))
	if !slices.Contains([]Mode{Off, Propose, Ask, Do}, m) {
		r.Errorf(n, "the mode %q is unknown: write off, propose, ask or do", m)
		return Off
	}
	return m
}

func (r *reader) yes(n *yaml.Node) bool { return n != nil && r.Choice(n, "false", "true") == "true" }

func (r *reader) value(n *yaml.Node, to bounded.Value) {
	if n == nil {
		return
	}
	if err := to.Set(r.Text(n)); err != nil {
		r.Errorf(n, "%v", err)
	}
}

func (r *reader) seconds(n *yaml.Node, to *int64, least, most time.Duration) {
	d := time.Duration(*to) * time.Second
	r.value(n, bounded.Duration(&d, least, most))
	*to = int64(d / time.Second)
}

func (r *reader) minutes(n *yaml.Node, to *int64, least, most int) {
	m := int(*to / 60)
	r.value(n, bounded.Int(&m, least, most, "minutes"))
	*to = int64(m) * 60
}

// patterns reads names in which * stands for any characters and ? for one.
func (r *reader) patterns(n *yaml.Node) []string {
	list := r.Texts(n)
	for _, p := range list {
		if _, err := path.Match(p, ""); err != nil || p == "" {
			r.Errorf(n, "%q is not a pattern of names: write a name, such as osd1, or a pattern, such as osd*", p)
		}
	}
	return list
}

// some reads a list in which every word must be a known word.
func some[T ~string](r *reader, n *yaml.Node, what string, known []T) (list []T) {
	var words []string
	for _, k := range known {
		words = append(words, string(k))
	}
	for _, text := range r.Texts(n) {
		if !slices.Contains(words, text) {
			r.Errorf(n, "%q is not %s: write one or more of %s", text, what, strings.Join(words, ", "))
		}
		list = append(list, T(text))
	}
	return list
}

// hours reads hours such as 22:00-06:00.
func (r *reader) hours(n *yaml.Node) (h Hours) {
	if n == nil {
		return h
	}
	from, to, _ := strings.Cut(r.Text(n), "-")
	a, err := time.Parse("15:04", strings.TrimSpace(from))
	b, wrong := time.Parse("15:04", strings.TrimSpace(to))
	if err != nil || wrong != nil || a.Equal(b) {
		r.Errorf(n, "%q is not a range of hours: write two different times of the day in UTC, such as 22:00-06:00", n.Value)
		return h
	}
	return Hours{a.Hour()*60 + a.Minute(), b.Hour()*60 + b.Minute()}
}

// ruleFor returns the first rule that covers a component; nil: none does.
func (p *Policy) ruleFor(c *topology.Component) *Rule {
	for i := range p.Rules {
		if p.Rules[i].covers(c) {
			return &p.Rules[i]
		}
	}
	return nil
}

func (u *Rule) covers(c *topology.Component) bool {
	return (len(u.Storage) == 0 || slices.Contains(u.Storage, c.Storage)) && matches(u.Pools, c.Pool) && matches(u.Servers, hostOf(c)) && matches(u.Components, c.Name)
}

// matches reports whether a name matches one of the patterns, or there is no pattern. A * also
// matches slashes.
func matches(patterns []string, name string) bool {
	flat := strings.NewReplacer("/", "\x00")
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(flat.Replace(p), flat.Replace(name))
		return err == nil && ok
	})
}
