// Package rawquery reads raw samples of whatever answers PromQL, Thanos among them:
// an instant query of a range selector returns samples as they were scraped.
// query_range returns them on a grid of its own, and would not do.
//
//	query={instance="fs1:9100"}[3600000ms]&time=1549891472.009
//	{"status":"success","data":{"resultType":"matrix","result":[
//	  {"metric":{"__name__":"up"},"values":[[1549891457.01,"1"],[1549891472.01,"1"]]}]}}
//
// The marks by which series end are not among them: a device that disappears is
// one scrape's gap.
package rawquery
