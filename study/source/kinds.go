package source

import (
	"context"
	"io"
	"math/bits"
	"slices"

	"github.com/limpet-storage/limpet/study"
)

// An inventory may have only some drives of a group. Then an hour in which only the other drives
// work would be of unknown kind, and would be studied separately. So each group gets the kind
// of its known data drives: of the drives with records in the group, or else of the drives
// that the inventory lists in the group.

// kindSet is a set of kinds of drives: bit 1<<kind.
type kindSet uint8

// only returns the kind of a set with exactly one kind, else study.Unknown.
func (s kindSet) only() study.Kind {
	if bits.OnesCount8(uint8(s)) == 1 {
		return study.Kind(bits.TrailingZeros8(uint8(s)))
	}
	return study.Unknown
}

// settleKinds sets the kinds of groups. If the kinds of all drives are known, or of none, it
// does nothing, and does not need to read which drive is in which group.
func (s *Source) settleKinds(ctx context.Context, v *sourceSurvey) error {
	if !s.knowsSome(v) {
		return nil
	}
	seen, err := s.seenKinds(ctx, v.units)
	if err != nil {
		return err
	}
	onFile := make(map[string]kindSet)
	for i := range s.fleet.Drives {
		if d := &s.fleet.Drives[i]; d.Group != "" {
			onFile[d.Group] |= kindsOf(d)
		}
	}
	for i, name := range s.fleet.Groups {
		if seen[i] == 0 {
			seen[i] = onFile[name]
		}
		s.fleet.Kinds = append(s.fleet.Kinds, seen[i].only())
	}
	return nil
}

// knowsSome reports whether the kinds of some drives are known, and the kinds of some drives
// with records are unknown.
func (s *Source) knowsSome(v *sourceSurvey) bool {
	known := func(d study.Drive) bool { return d.Kind != study.Unknown }
	strange := func(d study.Drive) bool {
		_, ok := v.drives[d.Name]
		return ok && !known(d)
	}
	return slices.ContainsFunc(s.fleet.Drives, known) && slices.ContainsFunc(s.fleet.Drives, strange)
}

// kindsOf returns the kind of a drive as a set, for the kind of its group. The set is empty for
// a drive of unknown kind and for a parity drive, which may be of another kind and is not
// studied.
func kindsOf(d *study.Drive) kindSet {
	if d.Kind == study.Unknown || d.Role == study.Parity {
		return 0
	}
	return 1 << d.Kind
}

// seenKinds returns, by group, the kinds of the drives with records in the group.
func (s *Source) seenKinds(ctx context.Context, list []unit) ([]kindSet, error) {
	s.progress.begin(Surveying, list)
	spans := share(list, s.options.Workers)
	parts := make([][]kindSet, len(spans))
	err := parallel(ctx, len(spans), func(ctx context.Context, i int) error {
		parts[i] = make([]kindSet, len(s.fleet.Groups))
		r := s.newReader()
		defer r.close()
		for k := spans[i].From; k < spans[i].To; k++ {
			if err := r.addKinds(ctx, &list[k], parts[i]); err != nil {
				return err
			}
			s.progress.finish(&list[k])
		}
		return nil
	})
	all := make([]kindSet, len(s.fleet.Groups))
	for _, part := range parts {
		for g, kinds := range part {
			all[g] |= kinds
		}
	}
	return all, err
}

// addKinds adds the kinds of a unit's drives to their groups. It does not report damaged files:
// the later full reading reports them.
func (r *reader) addKinds(ctx context.Context, u *unit, kinds []kindSet) error {
	f := &r.files[u.File]
	if err := r.file.Open(u.File, f.Path, r.written(u.File)); err != nil {
		return err
	}
	wants, err := r.nameColumns(f)
	if err != nil {
		return err
	}
	part, err := r.file.Read(u.Part, wants, r.description.Time.Clock.Copy(), nil)
	if err != nil {
		return unbroken(err)
	}
	defer part.Close()
	var groups, drives []int32
	for {
		if err := part.Next(&r.block); err != nil {
			return unbroken(err)
		}
		groups, drives = r.group.Numbers(groups[:0], &r.block), r.drive.Numbers(drives[:0], &r.block)
		for i, g := range groups {
			kinds[g] |= kindsOf(&r.fleet.Drives[drives[i]])
		}
		r.progress.rows.Add(int64(r.block.Rows))
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// unbroken returns err, or nil if err is the end of a file or a damaged file.
func unbroken(err error) error {
	if err == io.EOF || isBroken(err) {
		return nil
	}
	return err
}
