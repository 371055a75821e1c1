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

// names holds the groups and drives of a shard's records, and the hours of the records.
type names struct {
	groups, drives map[string]*nameKey // by the values of their columns
	seen           []sighting
	hours          map[int32]int64 // number of rows, by hour
	rows           int64           // number of rows with a time, a group and a drive
	faults         Faults
	offsets        map[int64]bool // smallest and largest offsets from the full hour, in ticks
	tables         []*ext.Table   // external tables of queries
}

// A nameKey holds the values of the columns of a name, and the name itself.
type nameKey struct {
	values []any
	name   string // empty: a value is missing
}

// A sighting is a drive with records in a group and in a role.
type sighting struct{ group, drive, role string }

func newNames() *names {
	return &names{groups: map[string]*nameKey{}, drives: map[string]*nameKey{}, hours: map[int32]int64{}, offsets: map[int64]bool{}}
}

// survey reads the names and times of all records.
func (s *shard) survey(ctx context.Context, l *layout, p *Progress) error {
	s.names = newNames()
	heard := driver.Context(ctx, driver.WithProgress(p.survey))
	err := s.query(heard, l.Names(s.table), func(scan func(...any) error) error { return s.names.sight(scan, l) })
	if err != nil {
		return err
	}
	return s.query(ctx, l.Times(s.table), s.names.time)
}

// time adds a row of the query Times.
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

// sight adds a row of the query Names.
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

// room returns a variable into which a value of a key is read.
func room(kind string) any {
	switch kind {
	case "UInt64":
		return new(uint64)
	case "Int64":
		return new(int64)
	}
	return new(string)
}

// keep returns the name that some values make, and adds it to all if it is new.
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

// number makes the external tables of queries: the number of each group and drive in the
// fleet, from 1 on, and their kinds, roles and dates of deployment.
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

// driveRow returns the row of a drive in drivesTable. The kind is written as the bit 1<<kind.
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

// newTable makes an external table. Its columns are the keys, the number, and more, which lists
// names and types in turn.
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
