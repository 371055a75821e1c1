// This file slows down the drives of an array by a distribution. So a policy that hides slow drives
// can be tested although all drives are healthy.
//
// A distribution prints as the text that parses it. A draw depends only on the seed, the member,
// the number of its read and the time. So two policies meet the same slow drives, and a run can be
// repeated. The caller reads files.
//
// Distributions are
//
//	none                             no delay
//	rare:seed=1                      an independent draw for each read of each member, from T16's disks
//	quantiles:2=0.01,9=0.001,seed=1  the same from given quantiles, see [ReadQuantiles]
//	periodic:member=0,slow=5         one member, some minutes of every few hours (T16 §5)
//
// and periodic:compress=60 makes time run 60 times faster, for runs on real drives that
// cannot wait for hours.

package replay

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Kind is the name of a distribution.
type Kind string

// The distributions.
const (
	KindNone      Kind = "none"
	KindRare      Kind = "rare"
	KindQuantiles Kind = "quantiles"
	KindPeriodic  Kind = "periodic"
)

// A Distribution describes how members are slowed down.
type Distribution struct {
	Kind      Kind
	Quantiles Quantiles // for KindRare and KindQuantiles
	Periodic  Periodic  // for KindPeriodic
	Seed      uint64
	Compress  float64 // factor by which time runs faster than the clock
}

// defaultDistribution returns the distribution of a name without settings.
func defaultDistribution(kind Kind) Distribution {
	d := Distribution{Kind: kind, Seed: 1, Compress: 1}
	switch kind {
	case KindRare:
		d.Quantiles = rare()
	case KindPeriodic:
		d.Periodic = defaultPeriodic()
	}
	return d
}

// FromQuantiles returns the distribution with the given quantiles.
func FromQuantiles(q Quantiles) Distribution {
	d := defaultDistribution(KindQuantiles)
	d.Quantiles = q
	return d
}

// Parse reads a distribution as String writes it. Settings that are left out have their defaults.
func Parse(text string) (Distribution, error) {
	name, rest, given := strings.Cut(text, ":")
	d := defaultDistribution(Kind(name))
	if given {
		for _, setting := range strings.Split(rest, ",") {
			if err := d.parse(setting); err != nil {
				return Distribution{}, fmt.Errorf("distribution %s: %w", name, err)
			}
		}
	}
	if err := d.Validate(); err != nil {
		return Distribution{}, err
	}
	return d, nil
}

func (d *Distribution) parse(setting string) (err error) {
	name, value, _ := strings.Cut(setting, "=")
	switch {
	case name == "seed" && d.Kind != KindNone:
		if d.Seed, err = strconv.ParseUint(value, 10, 64); err != nil {
			return fmt.Errorf("the setting \"seed\" must be a whole number, not %q", value)
		}
	case name == "compress" && d.Kind == KindPeriodic:
		d.Compress, err = parseNumber(name, value)
	case d.Kind == KindPeriodic:
		return d.Periodic.parse(name, value)
	case d.Kind == KindQuantiles:
		var at Quantile
		at, err = parseQuantile(setting, "=")
		d.Quantiles = append(d.Quantiles, at)
	default:
		return fmt.Errorf("this distribution has no setting %q: leave out this setting", name)
	}
	return err
}

func (p *Periodic) parse(name, value string) (err error) {
	switch name {
	case "member":
		if p.Member, err = strconv.Atoi(value); err != nil {
			return fmt.Errorf("the setting \"member\" must be a whole number, not %q", value)
		}
	case "slow":
		p.Slow, err = parseNumber(name, value)
	case "for":
		p.Min, p.Max, err = parseRange(name, value)
	case "every":
		p.From, p.To, err = parseRange(name, value)
	case "share":
		p.Share, err = parseNumber(name, value)
	default:
		err = fmt.Errorf("this distribution has no setting %q: the settings are member, slow, for, every, share, compress and seed", name)
	}
	return err
}

// parseNumber reads the value of a setting as a number.
func parseNumber(name, value string) (float64, error) {
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return 0, fmt.Errorf("the setting %q must be a number, not %q", name, value)
	}
	return v, nil
}

// parseRange reads a range of two times, such as 3m-6m.
func parseRange(name, text string) (from, to time.Duration, err error) {
	a, b, _ := strings.Cut(text, "-")
	from, err = time.ParseDuration(a)
	if err == nil {
		to, err = time.ParseDuration(b)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("the setting %q must be a range of times such as 3m-6m, not %q", name, text)
	}
	return from, to, nil
}

// String returns the text that Parse reads.
func (d Distribution) String() string {
	switch p := &d.Periodic; d.Kind {
	case KindRare:
		return fmt.Sprintf("rare:seed=%d", d.Seed)
	case KindPeriodic:
		return fmt.Sprintf("periodic:member=%d,slow=%s,for=%v-%v,every=%v-%v,share=%s,compress=%s,seed=%d",
			p.Member, number(p.Slow), p.Min, p.Max, p.From, p.To, number(p.Share), number(d.Compress), d.Seed)
	case KindQuantiles:
		var b strings.Builder
		for _, at := range d.Quantiles {
			fmt.Fprintf(&b, "%s=%s,", number(at.Slowdown), number(at.Share))
		}
		return fmt.Sprintf("quantiles:%sseed=%d", b.String(), d.Seed)
	}
	return string(d.Kind)
}

// Validate returns an error if the distribution is not possible.
func (d *Distribution) Validate() error {
	var err error
	switch d.Kind {
	case KindNone:
	case KindRare, KindQuantiles:
		err = d.Quantiles.Validate()
	case KindPeriodic:
		err = d.Periodic.Validate()
	default:
		err = errors.New("this distribution is unknown: write none, rare, periodic or quantiles")
	}
	if err == nil && !(d.Compress > 0 && d.Compress <= 1e6) {
		err = fmt.Errorf("the setting compress is %v: write a number above 0 and at most 1e6", d.Compress)
	}
	if err != nil {
		return fmt.Errorf("distribution %s: %w", d.Kind, err)
	}
	return nil
}

// Fits returns an error if an array with this number of members does not have the slow member.
func (d *Distribution) Fits(members int) error {
	if d.Kind == KindPeriodic && d.Periodic.Member >= members {
		return fmt.Errorf("distribution %s: there is no member=%d, because the array has %d members: write a number from 0 to %d", d.Kind, d.Periodic.Member, members, members-1)
	}
	return nil
}
