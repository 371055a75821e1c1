// Package finding is what detectors produce: plain data on one problem at one
// place, as one window shows it.
//
// A finding says where the problem is, what kind it is, which components show
// it and in which role, when it began, how large it is, and what speaks for and
// against it. It holds no prose and no memory. Package incident gives findings a
// life, package words puts them into words.
//
// Each detector is a package of its own below this one. To add one, write the
// package, add its bounds to the table in docs/method.md, and ask it in a
// question of package diagnose (CONTRIBUTING.md has every place to touch).
package finding
