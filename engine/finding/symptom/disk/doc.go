// Package disk judges the drives of servers by what their work should cost.
//
// A drive is not judged by how busy it is, but by how busy it is for what it
// does: its own work has a price, and its peers set it. A drive that costs more
// is slow, or has work that its server does not see. A drive that does what
// nobody called for has a hog. A drive that is only asked for more than its
// peers is healthy, however long its requests wait.
//
// It reads the window of package peers and notes signs in it. Between windows it
// remembers what each drive has served and how busy it was for that.
package disk
