-- One row for each group and kind: counts, the series of its hours, and each of
-- its slow hours. Tails of hours without a slow drive are 0.
SELECT
    toUInt8(class) AS c, toUInt32(g) AS group_number,
    toInt64(sum(records)), toInt64(sum(parities)), toInt64(sum(invalid)), toInt64(sum(idle)), toInt64(sum(zero)), toInt64(sum(silent)), toInt64(sum(twice)),
    toInt64(count()), toInt64(sum(members)), toInt32(max(parity_drives)), toInt64(sum(busy)), toInt64(sum(large)),
    sum(toInt64(least(tail1, {{.MostTail}}) * {{.TailUnits}})), sum(toInt64(least(tail2, {{.MostTail}}) * {{.TailUnits}})), sum(toInt64(least(tail3, {{.MostTail}}) * {{.TailUnits}})),
    argMin(tail1, hour), argMax(tail1, hour),
    groupArray(toInt32(hour)), groupArray(toUInt32(members)), groupArray(requests), groupArray(if(has_slow, tail1, 0)),
    groupArrayArray(slow_seats), groupArrayArray(replicate(toInt32(hour), slow_seats)), groupArrayArray(slow),
    groupArrayArray(arrayMap((x, m) -> if(x > 0 AND m > 0, x / m, -1), slow_ios, replicate(io_median, slow_ios))),
    groupArrayArray(arrayMap((x, m) -> if(x > 0 AND m > 0, x / m, -1), slow_sizes, replicate(size_median, slow_sizes)))
FROM (
    SELECT
        g, hour, class, records, parities, parity_drives, invalid, idle, zero, silent, twice, members, io_median, size_median, tail1, tail2, tail3,
        arrayCount((x, m) -> x / m >= {{.Imbalanced}}, ios, replicate(io_median, ios)) AS busy,
        arrayCount((x, m) -> x / m >= {{.Imbalanced}}, sizes, replicate(size_median, sizes)) AS large,
        if(arrayExists(x -> x < 0, ios), 0, arraySum(arrayMap(x -> toInt64(x * {{.IOUnits}}), ios))) AS requests,
        tail1 >= {{.Kept}} AS has_slow,
        if(has_slow, slowdowns, emptyArrayFloat64()) AS tails,
        arrayFilter(s -> s >= {{.Kept}}, tails) AS slow,
        arrayFilter((x, s) -> s >= {{.Kept}}, if(has_slow, seats, emptyArrayUInt64()), tails) AS slow_seats,
        arrayFilter((x, s) -> s >= {{.Kept}}, if(has_slow, ios, emptyArrayFloat32()), tails) AS slow_ios,
        arrayFilter((x, s) -> s >= {{.Kept}}, if(has_slow, sizes, emptyArrayFloat32()), tails) AS slow_sizes
    FROM (
{{.Slowdowns}}
    )
)
GROUP BY class, g
