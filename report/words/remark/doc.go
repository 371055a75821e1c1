// Package remark says what a diagnosis is weaker for: servers that are silent, idle or
// apart from all others, what the data lacked, clocks that are wrong; and what it means
// that nothing was found.
//
// It says what was there, why that is not enough, and what to do. It speaks with the
// voice of package words, beside which it stands, and knows no incident.
package remark
