package raid

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/limpet-storage/limpet/raid/policy"
)

// A Mask keeps reads away from a member that was found to be slow. Writes still go to the member,
// so that its data stay current and no redundancy is lost. Masks are part of the superblocks, so
// they stay across restarts until they are ended.
type Mask struct {
	Member   int
	How      policy.Mask
	Incident string    // ID of the incident that is the reason; empty: none
	Why      string    // reason in words
	By       string    // person or program that asked for the mask
	Since    time.Time // whole seconds
	// Stay keeps the mask after the member has recovered, until an operator ends it.
	Stay bool
}

// Longest texts of a mask, in bytes: two masks have to fit into a superblock.
const (
	longestIncident = 64
	longestBy       = 64
	longestWhy      = 256
)

// Reasons to refuse a mask.
var (
	ErrNotActive     = errors.New("the member is lost or not yet rebuilt")
	ErrRebuildRuns   = errors.New("a member is being rebuilt, and the rebuild reads all other members")
	ErrTooFewMembers = errors.New("too few members would be left for reads")
	ErrOtherMask     = errors.New("the mask belongs to another incident")
)

// MaskStatus is a mask and its present effect.
type MaskStatus struct {
	Mask
	// Suspended is true if so many members are lost that every read needs the masked member.
	Suspended bool
	Recovery  policy.Recovery
	// QuickSince is the time since when all answers were as quick as the answers of the peers;
	// zero: the last answers were not.
	QuickSince time.Time
}

// Mask masks a member, and returns whether that changed anything. An existing mask of the member is
// replaced; the same mask of the same incident stays as it is. Mask refuses
//   - a member that is lost or not yet rebuilt,
//   - any member while a rebuild runs,
//   - more lost and masked members than parity can replace.
func (a *Array) Mask(m Mask) (changed bool, err error) {
	if err := m.validate(a.geometry); err != nil {
		return false, err
	}
	m.Since = m.Since.UTC().Truncate(time.Second)
	err = a.changeMasks(func(r *roster, masks []Mask) ([]Mask, error) {
		if err := r.mayMask(m.Member); err != nil {
			return nil, fmt.Errorf("member %s cannot be masked: %w", a.geometry.name(m.Member), err)
		}
		if k := r.maskOf(m.Member); k != nil && k.How == m.How && k.Incident == m.Incident && k.Stay == m.Stay {
			return masks, nil
		}
		changed = true
		masks = append(withoutMaskOf(masks, m.Member), m)
		slices.SortFunc(masks, func(a, b Mask) int { return a.Member - b.Member })
		return masks, nil
	})
	return changed && err == nil, err
}

// Unmask ends the mask of a member and returns it; nil: there was none. If incident is not empty,
// Unmask refuses to end the mask of another incident, which may be an operator's.
func (a *Array) Unmask(member int, incident string) (ended *Mask, err error) {
	if !firstMembers(a.geometry.Members()).has(member) {
		return nil, fmt.Errorf("the array does not have member %d: give a number from 0 to %d", member, a.geometry.Members()-1)
	}
	err = a.changeMasks(func(r *roster, masks []Mask) ([]Mask, error) {
		k := r.maskOf(member)
		if k == nil {
			return masks, nil
		}
		if incident != "" && k.Incident != incident {
			return nil, fmt.Errorf("member %s stays masked: %w (incident: %s)", a.geometry.name(member), ErrOtherMask, orNone(k.Incident))
		}
		was := *k
		ended = &was
		return withoutMaskOf(masks, member), nil
	})
	if err != nil {
		return nil, err
	}
	return ended, nil
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func withoutMaskOf(masks []Mask, member int) []Mask {
	return slices.DeleteFunc(slices.Clone(masks), func(m Mask) bool { return m.Member == member })
}

// changeMasks edits the masks and records them as an event. If the masks do not change and the
// saved record could be read, there is no event.
func (a *Array) changeMasks(edit func(r *roster, masks []Mask) ([]Mask, error)) error {
	if err := a.enterToWrite(); err != nil {
		return err
	}
	defer a.gate.leave()
	a.rosterMu.Lock()
	defer a.rosterMu.Unlock()
	r := a.roster.Load()
	if r.stopped != nil {
		return r.stopped
	}
	masks, err := edit(r, slices.Clone(r.masks))
	if err != nil {
		return err
	}
	if slices.Equal(masks, r.masks) && r.masksErr == nil {
		return nil
	}
	next := r.with(r.state)
	next.masks, next.masksErr, next.masksRaw = masks, nil, nil
	return a.record(next)
}

// mayMask returns the reason why a member cannot be masked; nil: it can.
func (r *roster) mayMask(member int) error {
	switch {
	case r.lost.has(member):
		return ErrNotActive
	case r.rebuilding != 0:
		return fmt.Errorf("%w: wait until the rebuild ends", ErrRebuildRuns)
	case (r.lost | r.maskedMembers()).with(member).count() > parities:
		return fmt.Errorf("%w: lost members: %d, masked members: %d; parity can replace only %d members: end a mask, or rebuild a member", ErrTooFewMembers, r.lost.count(), len(r.masks), parities)
	}
	return nil
}

func (s *state) maskedMembers() (masked set) {
	for i := range s.masks {
		masked = masked.with(s.masks[i].Member)
	}
	return masked
}

// maskOf returns the mask of a member; nil: it has none.
func (s *state) maskOf(member int) *Mask {
	for i := range s.masks {
		if s.masks[i].Member == member {
			return &s.masks[i]
		}
	}
	return nil
}

// dropMasksOfLost ends the masks of lost members. A mask belongs to a drive, and the place of a
// lost member gets another drive.
func (s *state) dropMasksOfLost() {
	if s.maskedMembers()&s.lost != 0 {
		s.masks = slices.DeleteFunc(slices.Clone(s.masks), func(m Mask) bool { return s.lost.has(m.Member) })
	}
}

// tellEndedMasks reports masks that ended because their members were lost.
func (a *Array) tellEndedMasks(before, now *roster) {
	for i := range before.masks {
		if m := before.masks[i].Member; now.lost.has(m) && !before.lost.has(m) && now.maskOf(m) == nil {
			now.failures[m].tell(errors.New("the member is lost, so it is no longer masked"), "")
		}
	}
}

// Masks returns the masks of the array in the order of the members, and the latencies that the
// array's own reads measured on masked members.
func (a *Array) Masks() []MaskStatus {
	r := a.roster.Load()
	if len(r.masks) == 0 {
		return nil
	}
	suspended := (r.lost | r.maskedMembers()).count() > parities
	g := &a.reader.governor
	g.mu.Lock()
	defer g.mu.Unlock()
	g.applyMasks(r)
	var list []MaskStatus
	for _, m := range r.masks {
		s := MaskStatus{Mask: m, Suspended: suspended, Recovery: g.policy.Recovery(m.Member)}
		if s.Recovery.Quick {
			s.QuickSince = a.began.Add(s.Recovery.Since)
		}
		list = append(list, s)
	}
	return list
}

// applyMasks gives the masks of a roster to the policy, unless the policy has the masks of a later
// roster.
func (g *governor) applyMasks(r *roster) {
	if r.event <= g.masksEvent {
		return
	}
	g.masksEvent = r.event
	of := make(map[int]policy.Mask, len(r.masks))
	for _, m := range r.masks {
		of[m.Member] = m.How
	}
	g.policy.SetMasks(of, g.probe)
}

// validate returns an error if a record cannot hold the mask.
func (m *Mask) validate(g Geometry) error {
	if _, err := policy.ParseMask(string(m.How)); err != nil {
		return err
	}
	if !firstMembers(g.Members()).has(m.Member) {
		return fmt.Errorf("the array does not have member %d: give a number from 0 to %d", m.Member, g.Members()-1)
	}
	if y := m.Since.UTC().Year(); y <= 1970 || y > 9999 {
		return fmt.Errorf("a mask cannot begin in the year %d: give a year from 1971 to 9999", y)
	}
	for _, t := range []struct {
		name, text string
		longest    int
	}{{"incident", m.Incident, longestIncident}, {"reason", m.Why, longestWhy}, {"operator", m.By, longestBy}} {
		if len(t.text) > t.longest {
			return fmt.Errorf("the text of the %s of a mask has %d bytes: give at most %d bytes", t.name, len(t.text), t.longest)
		}
		if !utf8.ValidString(t.text) || strings.ContainsFunc(t.text, func(c rune) bool { return !unicode.IsPrint(c) }) {
			return fmt.Errorf("the text of the %s of a mask, %q, has characters that cannot be printed: give plain text in one line", t.name, t.text)
		}
	}
	return nil
}

// WellFor returns how long a masked member must be as quick as its peers before it counts as
// recovered.
func (a *Array) WellFor() time.Duration { return a.options.Masks.WellFor }
