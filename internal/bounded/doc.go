// Package bounded has values for flags that are numbers, times and sizes, and reads files
// up to a bound. Each value has a lower and an upper bound, so that no command line
// requests more than a machine has or an integer holds, and its error has both bounds in
// words of the flag:
//
//	--smooth must be between 1 and 10000 steps, not 2147483648
//
// The values fit the packages flag and pflag alike and import neither, since the command
// limpet-record does without pflag. ReadFile reads a file that a user names, and fails
// where it is longer than such a file can be. Read bounded.go first.
package bounded
