// Package lsblk reads lsblk: trees and lists with any columns, -P, and JSON,
// flat and nested.
package lsblk
