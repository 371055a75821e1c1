-- One row for each thing that is counted over hours: a drive's seat in its
-- group, or a place in one of the distributions of a kind.
SELECT
    toUInt8(class) AS c, toUInt32(place) AS group_number, key, toInt64(count()), toInt32(min(hour)), toInt32(max(hour))
FROM (
    SELECT class, hour, key, if(key >= {{.Seat}}, g, 0) AS place
    FROM (
        SELECT
            class, g, hour,
            arrayFilter((s, x, m) -> x / m >= {{.Imbalanced}}, slowdowns, ios, replicate(io_median, ios)) AS busy,
            arrayFilter((s, x, m) -> x / m >= {{.Imbalanced}}, slowdowns, sizes, replicate(size_median, sizes)) AS large,
            arrayConcat(slowdowns, [tail1, tail2, tail3], busy, large) AS ratios,
            arrayConcat(arrayMap(x -> 0, slowdowns), [1, 2, 3], arrayMap(x -> 4, busy), arrayMap(x -> 5, large)) AS curves,
            arrayMap(x -> reinterpretAsUInt64(reinterpretAsString(x)), ratios) AS patterns,
            arrayMap((bits, curve) -> curve * {{.Curve}} + {{call .Cell "bits"}}, patterns, curves) AS places,
            arrayJoin(arrayConcat(seats, places)) AS key
        FROM (
{{.Slowdowns}}
        )
        WHERE class < 3
    )
)
GROUP BY class, place, key
