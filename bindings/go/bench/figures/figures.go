// Package figures writes what the pages state, for benches/figures.
package figures

import (
	"fmt"
	"os"
)

// Write appends a figure to the file that FIGURES names, if it names one.
func Write(name, format string, values ...any) {
	if file, err := os.OpenFile(os.Getenv("FIGURES"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err == nil {
		fmt.Fprintf(file, "%s\t%s\n", name, fmt.Sprintf(format, values...))
		file.Close()
	}
}
