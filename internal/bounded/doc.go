// Package bounded has values of flags that are numbers, times and sizes. Each
// has a lower and an upper bound, so that no command line asks for more than a
// machine has or an integer holds; and its error says both bounds in words of
// the flag:
//
//	--smooth must be between 1 and 10000 steps, not 2147483648
//
// The values fit package flag and pflag alike and know neither, since the
// recorder's command does without pflag.
package bounded
