# Reads `go test -v` and prints what a person wants of it: packages, whole
# failures, what was skipped and why, and one closing line.
#
# The lines of a test are kept until it ends: some tests print a hundred thousand.
function told(  i) {
	for (i = 0; i < lines; i++) print held[i]
	lines = 0
}
/^=== / { if ($2 == "RUN" && $3 !~ /\//) lines = 0; next }
/^ *--- SKIP: / {
	skipped++
	skips = skips "  " $3 ": " reason "\n"
	next
}
/^--- PASS: / { passed++; lines = 0; next }
/^ +--- PASS: / { next }
/^--- FAIL: / { failed++; told(); print; next }
/^(ok|FAIL|---|panic:|#|\?)/ {
	told(); print; fflush()
	if ($0 ~ /build failed|setup failed|^panic:/) failed++
	next
}
/^(PASS|testing: warning)/ { next }
{
	held[lines++] = $0
	reason = $0
	sub(/^ *[a-zA-Z0-9_]+\.go:[0-9]+: /, "", reason)
}
END {
	if (skips != "") printf "skipped:\n%s", skips
	printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
}
