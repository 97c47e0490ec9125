//go:build !second

package main

func other() string { return "and nothing else" }
