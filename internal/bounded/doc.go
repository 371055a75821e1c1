// Package bounded has values for flags that are numbers, times and sizes, and reads files
// up to a bound. Each value has a lower and an upper bound, so that no command line
// requests more than a machine has or an integer holds. An error names both bounds:
//
//	--smooth must be between 1 and 10000 steps, not 2147483648
//
// The values fit the packages flag and pflag. This package imports neither, because the command
// limpet-record does not use pflag. ReadFile reads a file that a user names, and returns an error
// if the file is too large. Read bounded.go first.
package bounded
