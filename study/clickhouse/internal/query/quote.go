package query

import (
	"fmt"
	"math"
	"strings"
)

// Exact writes a float64 as SQL that reads as the same float64: a quotient of
// integers, as parsers of decimals may be off by the last bit. It takes values
// from 2^-10 on.
func Exact(v float64) string {
	fraction, exponent := math.Frexp(v)
	const digits = 53
	whole, shift := int64(fraction*(1<<digits)), digits-exponent
	for shift > 0 && whole%2 == 0 && whole != 0 {
		whole, shift = whole/2, shift-1
	}
	if shift <= 0 {
		return fmt.Sprintf("(toFloat64(%d) * %d)", whole, uint64(1)<<-shift)
	}
	return fmt.Sprintf("(toFloat64(%d) / %d)", whole, uint64(1)<<shift)
}

// Identifier quotes the name of a column or table, whatever is in it.
func Identifier(name string) string {
	return "`" + strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(name) + "`"
}

// Text quotes a string, whatever is in it.
func Text(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}

// A Table is a table and its database, empty where it is that of the
// connection.
type Table struct{ Database, Name string }

// ParseTable reads a name with or without its database: fleet.records. Either
// may have dots between backticks: `my.fleet`.`records.2026`.
func ParseTable(name string) Table {
	first, rest, ok := cutName(name)
	if !ok {
		return Table{Name: first}
	}
	if last, _, more := cutName(rest); !more {
		rest = last
	}
	return Table{first, rest}
}

// cutName cuts a name at its first dot that is not between backticks, and
// takes these off.
func cutName(name string) (first, rest string, ok bool) {
	if quoted, isQuoted := strings.CutPrefix(name, "`"); isQuoted {
		inside, after, closed := strings.Cut(quoted, "`")
		if rest, ok := strings.CutPrefix(after, "."); closed && (ok || after == "") {
			return inside, rest, ok
		}
	}
	return strings.Cut(name, ".")
}

// String is the table as queries name it.
func (t Table) String() string {
	if t.Database == "" {
		return Identifier(t.Name)
	}
	return Identifier(t.Database) + "." + Identifier(t.Name)
}

// Engine asks how the table was made.
func (t Table) Engine() string {
	return fmt.Sprintf("SELECT engine_full FROM system.tables WHERE database = %s AND name = %s", t.database(), Text(t.Name))
}

// Columns asks for names and types of the table's columns.
func (t Table) Columns() string {
	return fmt.Sprintf("SELECT name, type FROM system.columns WHERE database = %s AND table = %s", t.database(), Text(t.Name))
}

// database is it as a value.
func (t Table) database() string {
	if t.Database == "" {
		return "currentDatabase()"
	}
	return Text(t.Database)
}

// Cluster asks for the shards of a cluster and their replicas, in order.
func Cluster(name string) string {
	return fmt.Sprintf("SELECT shard_num, host_name, port FROM system.clusters WHERE cluster = %s ORDER BY shard_num, replica_num", Text(name))
}
