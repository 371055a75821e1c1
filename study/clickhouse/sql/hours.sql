-- One row for each group and hour: its members, and the records that are no
-- members, by reason. If a drive has several records, the greatest counts: by
-- I/Os, then by latency, then by size. Other hours are not sorted.
SELECT
    g, hour, records, parities, parity_drives, invalid, idle, zero, silent, kinds, peer_kind,
    length(all_seats) - arrayUniq(all_seats) AS twice,
    arraySort(arrayMap((s, i, l, z) -> (s, i, l, z),
        if(twice > 0, all_seats, emptyArrayUInt64()),
        if(twice > 0, all_ios, emptyArrayFloat32()),
        if(twice > 0, all_latencies, emptyArrayFloat32()),
        if(twice > 0, all_sizes, emptyArrayFloat32()))) AS ranked,
    arrayFilter((x, next) -> x.1 != next, ranked, arrayPopFront(arrayPushBack(arrayMap(x -> x.1, ranked), toUInt64(0)))) AS best,
    if(twice > 0, arrayMap(x -> x.1, best), all_seats) AS seats,
    if(twice > 0, arrayMap(x -> x.2, best), all_ios) AS ios,
    if(twice > 0, arrayMap(x -> x.3, best), all_latencies) AS latencies,
    if(twice > 0, arrayMap(x -> x.4, best), all_sizes) AS sizes
FROM (
    SELECT
        g, hour,
        count() AS records,
        countIf(parity = 1) AS parities,
        arrayUniq(groupArrayIf(seat, parity = 1)) AS parity_drives,
        countIf(parity = 0 AND absurd) AS invalid,
        countIf(parity = 0 AND NOT absurd AND io = 0) AS idle,
        countIf(parity = 0 AND NOT absurd AND io != 0 AND latency = 0) AS zero,
        countIf(parity = 0 AND NOT absurd AND io != 0 AND latency < 0) AS silent,
        groupBitOrIf(kind, member) AS kinds,
        any(group_kind) AS peer_kind,
        groupArrayIf(seat, member) AS all_seats,
        groupArrayIf(io, member) AS all_ios,
        groupArrayIf(latency, member) AS all_latencies,
        groupArrayIf(size, member) AS all_sizes
    FROM (
{{.Rows}}
    )
    GROUP BY g, hour
)
