package clickhouse

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/source"
)

// A layout maps the columns of a table to drive hours.
type layout struct {
	Description *source.Description
	Group       []key // columns of the group's name
	Drive       []key
	Role        string // column of the role; empty: none
	clock       clock
	role        string // SQL
	values      *sourceColumns
	measures    map[study.Direction]measure
}

// newLayout returns the layout of a table: it finds the columns that a description names.
func newLayout(s *schema, d *source.Description) (*layout, error) {
	l := &layout{Description: d, Role: d.RoleColumn(s.Names()), role: "''"}
	var err error
	if l.clock, err = s.clock(d); err != nil {
		return nil, err
	}
	if l.Group, err = s.keys(d.Group.Fields()); err != nil {
		return nil, err
	}
	if l.Drive, err = s.keys(d.Drive.Fields()); err != nil {
		return nil, err
	}
	if l.Role != "" {
		k, err := s.key(l.Role)
		if err != nil {
			return nil, err
		}
		l.role = fmt.Sprintf("toString(%s)", k.SQL)
	}
	l.values, l.measures, err = s.measures(d)
	return l, err
}

// Directions returns the directions that the data have, and All if it is computed from reads
// and writes.
func (l *layout) Directions() []study.Direction { return slices.Sorted(maps.Keys(l.measures)) }

// keyName returns the name of a key in queries: gkey1, gkey2 and so on for groups, dkey1 and so
// on for drives.
func keyName(prefix string, i int) string { return fmt.Sprintf("%skey%d", prefix, i+1) }

func keyNames(prefix string, keys []key) string {
	var out []string
	for i := range keys {
		out = append(out, keyName(prefix, i))
	}
	return strings.Join(out, ", ")
}

// keyColumns returns the SQL columns of all keys.
func (l *layout) keyColumns() []string {
	var out []string
	for i, k := range l.Group {
		out = append(out, k.SQL+" AS "+keyName("g", i))
	}
	for i, k := range l.Drive {
		out = append(out, k.SQL+" AS "+keyName("d", i))
	}
	return out
}

// Names returns the query for the groups and drives with records. Its columns are the keys of
// group and drive, the role, whether the times are plausible, the number of records, and the
// number of invalid values.
func (l *layout) Names(table table) string {
	names := keyNames("g", l.Group) + ", " + keyNames("d", l.Drive)
	return fmt.Sprintf("SELECT %[1]s, drive_role, timely, toInt64(count()), toInt64(sum(wrong)) FROM "+
		"(SELECT %[2]s, %[3]s AS drive_role, toUInt8(%[4]s) AS timely, %[5]s AS wrong FROM %[6]s) GROUP BY %[1]s, drive_role, timely",
		names, strings.Join(l.keyColumns(), ", "), l.role, l.clock.believable(), strings.Join(l.values.wrong, " + "), table)
}

// Times returns the query for the number of records in each hour, and the smallest and largest
// offset of their times from the full hour.
func (l *layout) Times(table table) string {
	return fmt.Sprintf("SELECT toInt32(hour), toInt64(count()), toInt64(min(past)), toInt64(max(past)) FROM (SELECT %s AS hour, %s %% %d AS past FROM %s WHERE %s) GROUP BY hour",
		l.clock.hourSQL(), l.clock.sql, l.clock.hour, table, l.clock.believable())
}
