// Package drives is the table that tools which sample drives are made into:
// one row for each drive and interval, whatever the tool calls its columns.
//
//	time,host,device,class,tps,await,r_await,w_await,rkB,wkB,aqu-sz,util
//	2026-11-15T23:12:27,vm,vda,vd,67,1.48,,,264,7978.5,0.1,0.4
//
// Times of waiting are in ms, rates per second, util in percent. It stands
// between package form and the forms of tools.
package drives
