package clickhouse

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A schema holds the columns of a table and their types.
type schema struct {
	Table table
	Types map[string]string
}

// Has reports whether the table has a column.
func (s *schema) Has(column string) bool { return s.Types[column] != "" }

// Names returns the sorted names of the columns.
func (s *schema) Names() []string { return slices.Sorted(maps.Keys(s.Types)) }

// require returns the type of a column without LowCardinality and Nullable, and whether values
// may be NULL.
func (s *schema) require(column string) (kind string, nullable bool, err error) {
	kind, ok := s.Types[column]
	if !ok {
		return "", false, fmt.Errorf("table %s has no column %q; the columns are %s", s.Table, column, strings.Join(s.Names(), ", "))
	}
	for _, wrapper := range []string{"LowCardinality(", "Nullable("} {
		if inner, ok := strings.CutPrefix(kind, wrapper); ok {
			kind = strings.TrimSuffix(inner, ")")
			nullable = nullable || wrapper == "Nullable("
		}
	}
	return kind, nullable, nil
}

func isInteger(kind string) bool {
	return slices.Contains([]string{"Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64"}, kind)
}

// A key is a column that is part of the name of a group or drive: its SQL and its type, which
// is String, Int64 or UInt64. Integers stay integers, because they are faster to look up.
type key struct{ SQL, Kind string }

func (s *schema) key(column string) (key, error) {
	kind, nullable, err := s.require(column)
	name := identifier(column)
	switch {
	case err != nil:
		return key{}, err
	case nullable:
		return key{fmt.Sprintf("ifNull(toString(%s), '')", name), "String"}, nil
	case isInteger(kind) && kind[0] == 'U':
		return key{fmt.Sprintf("toUInt64(%s)", name), "UInt64"}, nil
	case isInteger(kind):
		return key{fmt.Sprintf("toInt64(%s)", name), "Int64"}, nil
	}
	return key{fmt.Sprintf("toString(%s)", name), "String"}, nil
}

func (s *schema) keys(columns []string) ([]key, error) {
	var out []key
	for _, c := range columns {
		k, err := s.key(c)
		if err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	return out, nil
}

// Texts returns the query for columns as text; times as Unix seconds, which do not depend on a
// time zone.
func (s *schema) Texts(columns []string) (string, error) {
	var list []string
	for _, c := range columns {
		kind, nullable, err := s.require(c)
		if err != nil {
			return "", err
		}
		sql := identifier(c)
		if strings.HasPrefix(kind, "DateTime") {
			sql = fmt.Sprintf("toUnixTimestamp(%s)", sql)
		}
		sql = fmt.Sprintf("toString(%s)", sql)
		if nullable {
			sql = fmt.Sprintf("ifNull(%s, '')", sql)
		}
		list = append(list, sql)
	}
	return fmt.Sprintf("SELECT %s FROM %s", strings.Join(list, ", "), s.Table), nil
}
