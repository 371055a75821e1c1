package source

import (
	"context"
	"io"
	"math/bits"
	"slices"

	"github.com/limpet-storage/limpet/study"
)

// An inventory may know some drives of a group and not the others. So that
// hours in which only the others work are not studied apart, each group has
// the kind of its known data drives: those that have records in it, or else
// those that the inventory puts into it.

// kindSet is kinds of drives, a bit each.
type kindSet uint8

// only is the kind of a set that has but one.
func (s kindSet) only() study.Kind {
	if bits.OnesCount8(uint8(s)) == 1 {
		return study.Kind(bits.TrailingZeros8(uint8(s)))
	}
	return study.Unknown
}

// settleKinds settles the kinds of groups. Where all drives are known, or none
// is, there is nothing to settle, and no need to read who is where.
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

// knowsSome reports whether the kind of some drives is known, and of others
// that have records is not.
func (s *Source) knowsSome(v *sourceSurvey) bool {
	known := func(d study.Drive) bool { return d.Kind != study.Unknown }
	strange := func(d study.Drive) bool {
		_, ok := v.drives[d.Name]
		return ok && !known(d)
	}
	return slices.ContainsFunc(s.fleet.Drives, known) && slices.ContainsFunc(s.fleet.Drives, strange)
}

// kindsOf is what a drive says of its group: parity drives may be of another
// kind, and are not studied.
func kindsOf(d *study.Drive) kindSet {
	if d.Kind == study.Unknown || d.Role == study.Parity {
		return 0
	}
	return 1 << d.Kind
}

// seenKinds are those of the drives that have records in each group.
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

// addKinds adds the kinds of a unit's drives to their groups; what cannot be
// read of it is told by those who read all.
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

// unbroken is an error, unless it is of the end of a file, or of a damaged one.
func unbroken(err error) error {
	if err == io.EOF || isBroken(err) {
		return nil
	}
	return err
}
