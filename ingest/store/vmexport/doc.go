// Package vmexport reads raw samples of VictoriaMetrics: /api/v1/export, a line of
// JSON for each series, or for a part of one.
//
//	{"metric":{"__name__":"up","instance":"fs1:9100"},"values":[1,1,null],"timestamps":[1549891472010,1549891487010,1549891502010]}
//
// null is the end of a series: no counter is not a number otherwise.
package vmexport
