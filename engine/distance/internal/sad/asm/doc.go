// Command asm generates the vector code of package sad. It writes the same three
// functions for each instruction set, from one description of each function.
package main
