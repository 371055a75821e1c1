package upkeep

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/policy"
)

// A MaskOrder is a command to mask a member.
type MaskOrder struct {
	Member   string `json:"member"` // number, P, Q, path, or the last part of the path
	How      string `json:"how"`    // one of policy.Masks
	Incident string `json:"incident,omitempty"`
	Why      string `json:"why,omitempty"`
	By       string `json:"by,omitempty"`
	Stay     bool   `json:"stay,omitempty"` // stays until an unmask command
}

type unmaskOrder struct {
	Member   string `json:"member"`
	Incident string `json:"incident,omitempty"`
}

// A Mask is the mask of a member, and its recovery.
type Mask struct {
	How       string     `json:"how"`
	Incident  string     `json:"incident,omitempty"`
	Why       string     `json:"why,omitempty"`
	By        string     `json:"by,omitempty"`
	Since     time.Time  `json:"since"`
	Stay      bool       `json:"stay"`
	Suspended bool       `json:"suspended"`             // without effect, because every read needs the member
	Probes    uint64     `json:"probes"`                // number of probes since the array was opened
	Ratio     *float64   `json:"ratio,omitempty"`       // latency divided by the peers' latency; nil: not known
	Quick     *time.Time `json:"quick_since,omitempty"` // since when it is as quick as its peers; nil: not
	Recovered bool       `json:"recovered"`             // it was as quick as its peers for long enough
}

// MaskOf returns a mask as the control socket shows it.
func MaskOf(m raid.MaskStatus) *Mask {
	out := &Mask{
		How: string(m.How), Incident: m.Incident, Why: m.Why, By: m.By, Since: m.Since, Stay: m.Stay,
		Suspended: m.Suspended, Probes: m.Recovery.Probes, Recovered: m.Recovery.Well,
	}
	if r := m.Recovery.Ratio; r > 0 {
		out.Ratio = &r
	}
	if !m.QuickSince.IsZero() {
		since := m.QuickSince.UTC().Truncate(time.Second)
		out.Quick = &since
	}
	return out
}

func (h *Handler) mask(o MaskOrder) error {
	how, err := policy.ParseMask(o.How)
	if err != nil {
		return err
	}
	member, err := placeOf(h.Array.Status(), o.Member)
	if err != nil {
		return err
	}
	m := raid.Mask{Member: member, How: how, Incident: o.Incident, Why: o.Why, By: o.By, Stay: o.Stay, Since: time.Now()} //nolint:forbidigo // of real drives
	return h.Keeper.order(func() error {
		changed, err := h.Array.Mask(m)
		if changed {
			h.Keeper.options.Report(fmt.Sprintf("member %s is masked (%s)%s", h.role(member), how, because(m)))
		}
		return err
	})
}

func (h *Handler) unmask(o unmaskOrder) error {
	member, err := placeOf(h.Array.Status(), o.Member)
	if err != nil {
		return err
	}
	return h.Keeper.order(func() error {
		ended, err := h.Array.Unmask(member, o.Incident)
		if err == nil && ended != nil {
			h.Keeper.options.Report(fmt.Sprintf("the mask of member %s has ended: limpet reads this member as usual", h.role(member)))
		}
		return err
	})
}

func (h *Handler) role(member int) string { return h.Array.Status().Members[member].Role }

// because returns the reason of a mask, as the end of a sentence.
func because(m raid.Mask) string {
	var parts []string
	if m.Incident != "" {
		parts = append(parts, "incident "+m.Incident)
	}
	if m.By != "" {
		parts = append(parts, "by "+m.By)
	}
	text := ""
	if len(parts) > 0 {
		text = ", " + strings.Join(parts, ", ")
	}
	if m.Why != "" {
		text += ": " + m.Why
	}
	return text
}

// placeOf finds a member by its number, P, Q, its path, or the last part of its path.
func placeOf(s raid.Status, name string) (int, error) {
	for i, m := range s.Members {
		if m.Role == name {
			return i, nil
		}
	}
	found := -1
	for i, m := range s.Members {
		switch {
		case m.Name == name:
			return i, nil
		case filepath.Base(m.Name) != name:
		case found >= 0:
			return 0, fmt.Errorf("several members have the name %q: give a number, P, Q or a whole path", name)
		default:
			found = i
		}
	}
	if found < 0 {
		return 0, fmt.Errorf("the array has no member %q: give a number from 0 to %d, P, Q, or the name of a member", name, s.Geometry.Data-1)
	}
	return found, nil
}

// endMasks ends the masks of members that have recovered. If a mask stays, the recovery is reported
// once.
func (k *Keeper) endMasks() {
	if k.array.Status().Stopped != nil {
		return
	}
	for _, m := range k.array.Masks() {
		if !m.Recovery.Well {
			continue
		}
		role := k.array.Status().Members[m.Member].Role
		well := fmt.Sprintf("member %s has been as fast as the other members for %v", role, k.array.WellFor())
		if m.Stay {
			if !k.toldWell[m.Mask] {
				k.toldWell[m.Mask] = true
				k.options.Report(well + ": the mask stays until you run limpet raid unmask")
			}
			continue
		}
		if _, err := k.array.Unmask(m.Member, m.Incident); err != nil {
			k.options.Report(fmt.Sprintf("the mask of member %s cannot be ended: %v", role, err))
			continue
		}
		k.options.Report(well + ": the mask has ended, and limpet reads this member as usual")
	}
}
