// Package temoto names the modules that tests/temoto/run needs, for `go mod tidy`.
package temoto

import (
	_ "github.com/librobots/librobots/bindings/go"
	_ "github.com/stretchr/testify/assert"
	_ "github.com/stretchr/testify/require"
	_ "github.com/temoto/robotstxt"
)
