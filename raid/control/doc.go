// Package control lets commands talk to the process that serves an array: JSON
// over HTTP on a Unix socket that its owner alone may use.
//
//	GET  /status                                    how array and job stand
//	POST /scrub    {"repair":true}
//	POST /rebuild  {"place":2,"path":"/dev/sdk"}    a member for a lost one
//	POST /cancel                                    ends the job that runs
package control
