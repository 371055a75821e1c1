package clickhouse

import (
	"fmt"
	"math"
	"strings"
)

// exact writes a float64 as SQL that reads as the same float64: a quotient of
// integers, as parsers of decimals may be off by the last bit. It takes values
// from 2^-10 on.
func exact(v float64) string {
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

// identifier quotes the name of a column or table, whatever is in it.
func identifier(name string) string {
	return "`" + strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(name) + "`"
}

// text quotes a string, whatever is in it.
func text(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}

// A table is a table and its database, empty where it is that of the
// connection.
type table struct{ Database, Name string }

// parseTable reads a name with or without its database: fleet.records. Either
// may have dots between backticks: `my.fleet`.`records.2026`.
func parseTable(name string) table {
	first, rest, ok := cutAtDot(name)
	if !ok {
		return table{Name: first}
	}
	if last, _, more := cutAtDot(rest); !more {
		rest = last
	}
	return table{first, rest}
}

// cutAtDot cuts a name at its first dot that is not between backticks, and
// takes these off.
func cutAtDot(name string) (first, rest string, ok bool) {
	if quoted, isQuoted := strings.CutPrefix(name, "`"); isQuoted {
		inside, after, closed := strings.Cut(quoted, "`")
		if rest, ok := strings.CutPrefix(after, "."); closed && (ok || after == "") {
			return inside, rest, ok
		}
	}
	return strings.Cut(name, ".")
}

// String is the table as queries name it.
func (t table) String() string {
	if t.Database == "" {
		return identifier(t.Name)
	}
	return identifier(t.Database) + "." + identifier(t.Name)
}

// Engine asks how the table was made.
func (t table) Engine() string {
	return fmt.Sprintf("SELECT engine_full FROM system.tables WHERE database = %s AND name = %s", t.database(), text(t.Name))
}

// Columns asks for names and types of the table's columns.
func (t table) Columns() string {
	return fmt.Sprintf("SELECT name, type FROM system.columns WHERE database = %s AND table = %s", t.database(), text(t.Name))
}

// database is it as a value.
func (t table) database() string {
	if t.Database == "" {
		return "currentDatabase()"
	}
	return text(t.Database)
}

// Cluster asks for the shards of a cluster and their replicas, in order.
func Cluster(name string) string {
	return fmt.Sprintf("SELECT shard_num, host_name, port FROM system.clusters WHERE cluster = %s ORDER BY shard_num, replica_num", text(name))
}
