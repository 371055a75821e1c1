// Package post asks HTTP servers, and sends them JSON, with care: credentials come from files
// and go to nobody else, answers are bounded, and errors say what to do without
// telling a secret.
//
// It knows nothing of alerts.
package post
