package clickhouse

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/source"
)

// A layout says how the columns of a table become drive hours.
type layout struct {
	Description *source.Description
	Group       []key // columns of the group's name
	Drive       []key
	Role        string // a column; empty: there is none
	clock       clock
	role        string // SQL
	values      *sourceColumns
	measures    map[study.Direction]measure
}

// newQuery finds the columns that a description names.
func newQuery(s *schema, d *source.Description) (*layout, error) {
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

// Directions are those that the data have, or that can be told from them.
func (l *layout) Directions() []study.Direction { return slices.Sorted(maps.Keys(l.measures)) }

// keyName is what queries call a key: gkey1 and so on of groups, dkey1 of
// drives.
func keyName(prefix string, i int) string { return fmt.Sprintf("%skey%d", prefix, i+1) }

func keyNames(prefix string, keys []key) string {
	var out []string
	for i := range keys {
		out = append(out, keyName(prefix, i))
	}
	return strings.Join(out, ", ")
}

// keyColumns selects all keys under their names.
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

// Names asks who has records, and how many: keys of group and drive, role,
// whether their time is one, count, and values that cannot have been measured.
func (l *layout) Names(table table) string {
	names := keyNames("g", l.Group) + ", " + keyNames("d", l.Drive)
	return fmt.Sprintf("SELECT %[1]s, drive_role, timely, toInt64(count()), toInt64(sum(wrong)) FROM "+
		"(SELECT %[2]s, %[3]s AS drive_role, toUInt8(%[4]s) AS timely, %[5]s AS wrong FROM %[6]s) GROUP BY %[1]s, drive_role, timely",
		names, strings.Join(l.keyColumns(), ", "), l.role, l.clock.believable(), strings.Join(l.values.wrong, " + "), table)
}

// Times asks how many records an hour has, and from where in it to where.
func (l *layout) Times(table table) string {
	return fmt.Sprintf("SELECT toInt32(hour), toInt64(count()), toInt64(min(past)), toInt64(max(past)) FROM (SELECT %s AS hour, %s %% %d AS past FROM %s WHERE %s) GROUP BY hour",
		l.clock.hourSQL(), l.clock.sql, l.clock.hour, table, l.clock.believable())
}
