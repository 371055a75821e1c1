package duckdb

import (
	"database/sql"
	"fmt"
	"path/filepath"

	_ "github.com/duckdb/duckdb-go/v2" // the driver
)

// Counts holds the main counts of a study's first pass.
type Counts struct {
	DriveHours, Slow15, Slow2   int64
	GroupHours                  int64
	Tail15, Tail1, Tail2, Tail3 int64 // group hours with T1 ≥ 1.5, T1 ≥ 2, T2 ≥ 2, T3 ≥ 2
	Busy, Large                 int64 // drive hours with twice the I/Os of the median; with I/Os of twice the size
	Bins                        int64 // bins of the distribution of S that are not empty
	SlowDrives                  int64 // drives with S ≥ 2 in at least one hour
}

// ratios is SQL for a table with the slowdown and imbalance of every drive hour. Members are
// data drives with I/O; an hour of a group needs at least three members.
const ratios = `
CREATE OR REPLACE TEMP TABLE ratio AS
WITH member AS (
  SELECT time, "group", drive, ios, latency_us, size_bytes
  FROM read_parquet('%s/records/*.parquet')
  WHERE role = 'data' AND ios > 0 AND latency_us > 0
), peers AS (
  SELECT time, "group", median(latency_us) AS latency, median(ios) AS ios, median(size_bytes) AS size
  FROM member GROUP BY time, "group" HAVING count(*) >= 3
)
SELECT kind, m.time, m."group", m.drive,
  m.latency_us / p.latency AS s, m.ios / p.ios AS ri, m.size_bytes / p.size AS zi
FROM member m JOIN peers p USING (time, "group") JOIN read_parquet('%s/inventory.parquet') i USING (drive)`

// aggregates is SQL for the Counts of the table ratio, by kind.
const aggregates = `
WITH hours AS (
  SELECT kind, max(s) AS t1, count(*) FILTER (s >= 2) AS slow FROM ratio GROUP BY kind, time, "group"
), tails AS (
  SELECT kind, count(*) AS hours, count(*) FILTER (t1 >= 1.5) AS t15,
    count(*) FILTER (slow >= 1) AS t1, count(*) FILTER (slow >= 2) AS t2, count(*) FILTER (slow >= 3) AS t3
  FROM hours GROUP BY kind
), drives AS (
  SELECT kind, count(*) AS hours, count(*) FILTER (s >= 1.5) AS s15, count(*) FILTER (s >= 2) AS s2,
    count(*) FILTER (ri >= 2) AS busy, count(*) FILTER (zi >= 2) AS large, count(DISTINCT drive) FILTER (s >= 2) AS slow
  FROM ratio GROUP BY kind
), bins AS (
  SELECT kind, count(*) AS n FROM (SELECT kind, floor(128 * log2(s)) AS bin, count(*) FROM ratio GROUP BY ALL) GROUP BY kind
)
SELECT kind, d.hours, s15, s2, t.hours, t15, t1, t2, t3, busy, large, n, d.slow
FROM drives d JOIN tails t USING (kind) JOIN bins USING (kind)`

// Query counts the fleet in a directory with DuckDB, and returns the counts by kind.
func Query(dir string, threads int) (map[string]Counts, error) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // temporary tables belong to a connection
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	for _, text := range []string{fmt.Sprintf("SET threads = %d", threads), fmt.Sprintf(ratios, abs, abs)} {
		if _, err := db.Exec(text); err != nil {
			return nil, err
		}
	}
	rows, err := db.Query(aggregates)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]Counts{}
	for rows.Next() {
		var kind string
		var c Counts
		if err := rows.Scan(&kind, &c.DriveHours, &c.Slow15, &c.Slow2, &c.GroupHours, &c.Tail15, &c.Tail1, &c.Tail2, &c.Tail3,
			&c.Busy, &c.Large, &c.Bins, &c.SlowDrives); err != nil {
			return nil, err
		}
		all[kind] = c
	}
	return all, rows.Err()
}
