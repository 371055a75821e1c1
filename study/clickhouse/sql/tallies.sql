-- One row for each count over hours: the periods in which a drive is a member of
-- its group, or a bin of a distribution of a kind of drives. A drive has the
-- first and the last hour of each period, and the index of the first hour among
-- its hours. Its slow hours have the same, and whether it works in the next hour.
SELECT
    toUInt8(class) AS c, toUInt32(place) AS group_number, key, toInt64(n),
    arrayFilter((h, before) -> h - before > {{.Away}}, hours, before) AS firsts,
    arrayFilter((h, next) -> next - h > {{.Away}}, hours, next) AS lasts,
    arrayFilter((i, h, before) -> h - before > {{.Away}}, arrayEnumerate(hours), hours, before) AS first_turns,
    arrayFilter((h, x) -> bitAnd(x, 1) = 1, hours, marked) AS slow_hours,
    arrayFilter((i, x) -> bitAnd(x, 1) = 1, arrayEnumerate(hours), marked) AS slow_turns,
    arrayFilter((on, x) -> bitAnd(x, 1) = 1, arrayMap((h, next) -> toUInt32(next - h = 1), hours, next), marked) AS goes_on
FROM (
    SELECT
        class, place, key, n, marked,
        arrayMap(x -> intDiv(x - bitAnd(x, 1), 2), marked) AS hours,
        arrayPopBack(arrayPushFront(hours, toInt64({{.Never}}))) AS before,
        arrayPopFront(arrayPushBack(hours, -toInt64({{.Never}}))) AS next
    FROM (
        SELECT class, place, key, count() AS n, arraySort(groupArrayIf(2 * toInt64(hour) + is_slow, key >= {{.Seat}})) AS marked
        FROM (
            SELECT class, hour, key, is_slow, if(key >= {{.Seat}}, g, 0) AS place
            FROM (
                SELECT
                    class, g, hour,
                    arrayFilter((s, x, m) -> x / m >= {{.Imbalanced}}, slowdowns, ios, replicate(io_median, ios)) AS busy,
                    arrayFilter((s, x, m) -> x / m >= {{.Imbalanced}}, slowdowns, sizes, replicate(size_median, sizes)) AS large,
                    arrayConcat(slowdowns, [tail1, tail2, tail3], busy, large) AS ratios,
                    arrayConcat(arrayMap(x -> 0, slowdowns), [1, 2, 3], arrayMap(x -> 4, busy), arrayMap(x -> 5, large)) AS curves,
                    arrayMap(x -> reinterpretAsUInt64(reinterpretAsString(x)), ratios) AS patterns,
                    arrayMap((bits, curve) -> curve * {{.Curve}} + {{call .Cell "bits"}}, patterns, curves) AS places,
                    arrayConcat(seats, places) AS keys,
                    arrayConcat(arrayMap(s -> s >= {{.Kept}}, slowdowns), arrayMap(x -> toUInt8(0), places)) AS slow_ones
                FROM (
{{.Slowdowns}}
                )
                WHERE class < 3
            )
            ARRAY JOIN keys AS key, slow_ones AS is_slow
        )
        GROUP BY class, place, key
    )
)
