//go:build cgo && !race

package robots

const raceEnabled = false
