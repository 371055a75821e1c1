package clickhouse

import (
	"context"
	"fmt"
	"slices"
	"strings"

	driver "github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/ext"
	"github.com/ClickHouse/clickhouse-go/v2/lib/column"

	"github.com/limpet-storage/limpet/study"
)

// names are the texts and numbers by which the records of a shard name groups
// and drives.
type names struct {
	groups, drives map[string]*nameKey // by their values
	seen           []sighting
	hours          map[int32]int64 // rows
	rows           int64           // that have a time, a group and a drive
	faults         Faults
	offsets        map[int64]bool // into the hour, in ticks
	tables         []*ext.Table
}

// A nameKey is the values of some columns, and the name that they make.
type nameKey struct {
	values []any
	name   string // empty: they make none
}

// A sighting is a drive that has records in a group, and in a role.
type sighting struct{ group, drive, role string }

func newNames() *names {
	return &names{groups: map[string]*nameKey{}, drives: map[string]*nameKey{}, hours: map[int32]int64{}, offsets: map[int64]bool{}}
}

// survey reads names and times of all records.
func (s *shard) survey(ctx context.Context, l *layout, p *Progress) error {
	s.names = newNames()
	heard := driver.Context(ctx, driver.WithProgress(p.survey))
	err := s.query(heard, l.Names(s.table), func(scan func(...any) error) error { return s.names.sight(scan, l) })
	if err != nil {
		return err
	}
	return s.query(ctx, l.Times(s.table), s.names.time)
}

// time takes a row of times.
func (n *names) time(scan func(...any) error) error {
	var hour int32
	var rows, least, most int64
	if err := scan(&hour, &rows, &least, &most); err != nil {
		return err
	}
	n.hours[hour] += rows
	n.offsets[least], n.offsets[most] = true, true
	return nil
}

// sight takes a row of names.
func (n *names) sight(scan func(...any) error, l *layout) error {
	var at []any
	for _, k := range slices.Concat(l.Group, l.Drive) {
		at = append(at, room(k.Kind))
	}
	var role string
	var timely uint8
	var rows, wrong int64
	if err := scan(append(at, &role, &timely, &rows, &wrong)...); err != nil {
		return err
	}
	if timely == 0 {
		n.faults.Rows += rows
		return nil
	}
	group := keep(n.groups, at[:len(l.Group)], l.Description.Group.Fields(), l.Description.Group.Fill)
	drive := keep(n.drives, at[len(l.Group):], l.Description.Drive.Fields(), l.Description.Drive.Fill)
	if group == "" || drive == "" {
		n.faults.Rows += rows
		return nil
	}
	n.seen = append(n.seen, sighting{group, drive, strings.TrimSpace(role)})
	n.rows += rows
	n.faults.Values += wrong
	return nil
}

// room is where a value of a key is read to.
func room(kind string) any {
	switch kind {
	case "UInt64":
		return new(uint64)
	case "Int64":
		return new(int64)
	}
	return new(string)
}

// keep makes the name of some values, or finds it.
func keep(all map[string]*nameKey, room []any, fields []string, fill func(func(string) string) string) string {
	k := &nameKey{}
	texts := make(map[string]string)
	blank := false
	for i, at := range room {
		k.values = append(k.values, value(at))
		words := strings.TrimSpace(fmt.Sprint(k.values[i]))
		texts[fields[i]] = words
		blank = blank || words == ""
	}
	id := fmt.Sprintf("%#v", k.values)
	if had, ok := all[id]; ok {
		return had.name
	}
	if !blank {
		k.name = fill(func(field string) string { return texts[field] })
	}
	all[id] = k
	return k.name
}

func value(at any) any {
	switch v := at.(type) {
	case *uint64:
		return *v
	case *int64:
		return *v
	}
	return *at.(*string)
}

// number makes the tables that go along with questions: what number a group or
// drive has in the fleet, from 1 on, and what is known of them.
func (n *names) number(l *layout, groups, drives map[string]int32, f *study.Fleet) error {
	g, err := newTable(groupsTable, "g", l.Group, "UInt32", "group_kind", "UInt8")
	if err != nil {
		return err
	}
	for _, k := range n.groups {
		if at, ok := groups[k.name]; ok {
			if err := g.Append(slices.Concat(k.values, []any{uint32(at + 1), uint8(f.KindOf(at))})...); err != nil {
				return err
			}
		}
	}
	d, err := newTable(drivesTable, "d", l.Drive, "UInt32", "parity", "UInt8", "kind", "UInt8", "deployed", "Int32")
	if err != nil {
		return err
	}
	for _, k := range n.drives {
		at, ok := drives[k.name]
		if !ok {
			continue
		}
		if err := d.Append(slices.Concat(k.values, driveRow(at, &f.Drives[at]))...); err != nil {
			return err
		}
	}
	n.tables = []*ext.Table{g, d}
	return nil
}

// driveRow is what a query needs to know of a drive; its kind is a bit.
func driveRow(at int32, d *study.Drive) []any {
	deployed, parity := int32(neverHour), uint8(0)
	if !d.Deployed.IsZero() {
		deployed = int32(floorDiv(d.Deployed.Unix(), hourSeconds))
	}
	if d.Role == study.Parity {
		parity = 1
	}
	return []any{uint32(at + 1), parity, uint8(1) << d.Kind, deployed}
}

// newTable makes a table of keys and columns, which are names and types.
func newTable(name, prefix string, keys []key, numberType column.Type, more ...string) (*ext.Table, error) {
	var list []func(*ext.Table) error
	for i, k := range keys {
		list = append(list, ext.Column(keyName(prefix, i), column.Type(k.Kind)))
	}
	list = append(list, ext.Column(prefix, numberType))
	for i := 0; i < len(more); i += 2 {
		list = append(list, ext.Column(more[i], column.Type(more[i+1])))
	}
	return ext.NewTable(name, list...)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
