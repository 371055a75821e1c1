// Package forms lists what tools print that is read as a table. A new form is a
// package beside tabular and a line here.
package forms
