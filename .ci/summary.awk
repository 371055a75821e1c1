# Reads `go test -v` and prints what a person wants of it: packages, whole
# failures, what was skipped and why, and one closing line.
/^=== / { if ($2 == "RUN" && $3 !~ /\//) { held = "" } ; next }
/^ *--- SKIP: / {
	skipped++
	skips = skips "  " $3 ": " reason "\n"
	next
}
/^--- PASS: / { passed++; held = ""; next }
/^ +--- PASS: / { next }
/^--- FAIL: / { failed++; printf "%s%s\n", held, $0; held = ""; next }
/^(ok|FAIL|---|panic:|#|\?)/ { print held $0; held = ""; if ($0 ~ /build failed|setup failed|^panic:/) failed++; next }
/^(PASS|testing: warning)/ { next }
{
	held = held $0 "\n"
	reason = $0
	sub(/^ *[a-zA-Z0-9_]+\.go:[0-9]+: /, "", reason)
}
END {
	if (skips != "") printf "skipped:\n%s", skips
	printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
}
