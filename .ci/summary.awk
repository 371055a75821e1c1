# Reads `go test -v` and prints what a person wants of it: packages, whole
# failures, what was skipped and why, and one closing line.
#
# What a test says is held line by line: some say a hundred thousand of them.
# With -v failures=FILE it writes there the package and the name of each test
# that failed, and "all" for a package that failed without one.
function told(  i) {
	for (i = 0; i < lines; i++) print held[i]
	lines = 0
}
function note(package,  i) {
	if (failures == "") return
	if (!broken) print package, "all" > failures
	for (i = 0; i < broken; i++) print package, names[i] > failures
	broken = 0
}
/^=== / { if ($2 == "RUN" && $3 !~ /\//) lines = 0; next }
/^ *--- SKIP: / {
	skipped++
	skips = skips "  " $3 ": " reason "\n"
	next
}
/^--- PASS: / { passed++; lines = 0; next }
/^ +--- PASS: / { next }
/^--- FAIL: / { failed++; names[broken++] = $3; told(); print; next }
/^FAIL\t/ { note($2) }
/^(ok|FAIL|---|panic:|#|\?)/ {
	told(); print; fflush()
	if ($0 ~ /build failed|setup failed|^panic:/) failed++
	if ($0 ~ /^panic:/) names[broken++] = "all"
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
