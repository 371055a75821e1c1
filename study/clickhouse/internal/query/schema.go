package query

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Schema is the columns of a table and their types.
type Schema struct {
	Table Table
	Types map[string]string
}

// Has reports whether there is a column.
func (s *Schema) Has(column string) bool { return s.Types[column] != "" }

// Names are those of the columns, in order.
func (s *Schema) Names() []string { return slices.Sorted(maps.Keys(s.Types)) }

// require is the bare type of a column, and whether values may be missing.
func (s *Schema) require(column string) (kind string, nullable bool, err error) {
	kind, ok := s.Types[column]
	if !ok {
		return "", false, fmt.Errorf("table %s has no column %q; it has %s", s.Table, column, strings.Join(s.Names(), ", "))
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

// A Key is a column that names hang on, as SQL, of kind String, Int64 or UInt64:
// numbers are faster to find.
type Key struct{ SQL, Kind string }

func (s *Schema) key(column string) (Key, error) {
	kind, nullable, err := s.require(column)
	name := Identifier(column)
	switch {
	case err != nil:
		return Key{}, err
	case nullable:
		return Key{fmt.Sprintf("ifNull(toString(%s), '')", name), "String"}, nil
	case isInteger(kind) && kind[0] == 'U':
		return Key{fmt.Sprintf("toUInt64(%s)", name), "UInt64"}, nil
	case isInteger(kind):
		return Key{fmt.Sprintf("toInt64(%s)", name), "Int64"}, nil
	}
	return Key{fmt.Sprintf("toString(%s)", name), "String"}, nil
}

func (s *Schema) keys(columns []string) ([]Key, error) {
	var out []Key
	for _, c := range columns {
		k, err := s.key(c)
		if err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	return out, nil
}

// Texts asks for columns as text: times as Unix seconds, which no zone bends.
func (s *Schema) Texts(columns []string) (string, error) {
	var list []string
	for _, c := range columns {
		kind, nullable, err := s.require(c)
		if err != nil {
			return "", err
		}
		sql := Identifier(c)
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
