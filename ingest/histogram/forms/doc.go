// Package forms lists the tools whose histograms are read. A new one is a package
// beside histogram and a line here.
package forms
