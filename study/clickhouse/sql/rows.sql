-- One row for each record: the number of its group, the number of its drive in
-- one year of the drive's life, and -1 for a missing value.
SELECT
    g, group_kind, hour, parity, kind, io, latency, size,
    latency > {{.MostLatency}} OR io > {{.MostIOs}} AS absurd,
    parity = 0 AND io != 0 AND latency > 0 AND NOT absurd AS member,
    toUInt64(d) * {{.Seat}}
        + if(deployed = {{.Never}}, toUInt64(0), toUInt64(intDiv(greatest(hour - deployed, 0), {{.Year}}) + 1)) AS seat
FROM (
    SELECT {{.GroupKeys}}, hour, io, latency, size, d, parity, kind, deployed
    FROM (
        SELECT {{.GroupKeys}}, {{.DriveKeys}}, hour, {{.IOs}} AS io, {{.Latency}} AS latency, {{.Size}} AS size
        FROM (
            SELECT {{.Columns}}
            FROM {{.Table}}
            WHERE {{.Where}}
        )
    ) AS named
    ANY LEFT JOIN (SELECT {{.DriveKeys}}, d, parity, kind, deployed FROM {{.DrivesTable}}) AS drives USING ({{.DriveKeys}})
) AS grouped
ANY LEFT JOIN (SELECT {{.GroupKeys}}, g, group_kind FROM {{.GroupsTable}}) AS groups USING ({{.GroupKeys}})
WHERE g > 0 AND d > 0
