// Command asm writes the vector kernels of package sad: the same three
// functions for each instruction set, so that one description serves all.
package main
