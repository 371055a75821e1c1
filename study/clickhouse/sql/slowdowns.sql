-- Hours with their medians, and the slowdown of each member. An hour has a kind
-- of drives (0 to 2), or it does not count: it has no member (3), too few
-- members (4), or several kinds (5). Bit 1 means drives of unknown kind. It is
-- ignored if another bit is set; alone, it means the kind of the group.
SELECT
    g, hour, records, parities, parity_drives, invalid, idle, zero, silent, twice, seats, ios, sizes,
    length(seats) AS members,
    multiIf(members = 0, 3, members < {{.Narrowest}}, 4, kinds = 1, peer_kind, kinds IN (2, 3), 1, kinds IN (4, 5), 2, 5) AS class,
    arraySort(latencies) AS ordered,
    arraySort(arrayFilter(x -> x > 0, ios)) AS known_ios,
    arraySort(arrayFilter(x -> x > 0, sizes)) AS known_sizes,
    {{call .Median "ordered" 1}} AS median_latency,
    {{call .Median "known_ios" .Narrowest}} AS io_median,
    {{call .Median "known_sizes" .Narrowest}} AS size_median,
    arrayMap((x, m) -> x / m, latencies, replicate(median_latency, latencies)) AS slowdowns,
    ordered[-1] / median_latency AS tail1,
    ordered[-2] / median_latency AS tail2,
    ordered[-3] / median_latency AS tail3
FROM (
{{.Hours}}
)
