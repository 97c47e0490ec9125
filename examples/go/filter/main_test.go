package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

func write(t *testing.T, body string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "robots.txt")
	if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestFilter(t *testing.T) {
	file := write(t, "user-agent: *\ndisallow: /private\n")
	var in, want strings.Builder
	for i := range 2500 { // more than one batch
		fmt.Fprintf(&in, "https://example.com/private/%d\nhttps://example.com/%d\r\n\nno URL\n", i, i)
		fmt.Fprintf(&want, "https://example.com/%d\n", i)
	}
	in.WriteString("/last, without an end of line")
	want.WriteString("/last, without an end of line\n")
	var out bytes.Buffer
	if err := run([]string{file, "ExampleBot"}, strings.NewReader(in.String()), &out); err != nil || out.String() != want.String() {
		t.Errorf("%v; %d bytes, not %d", err, out.Len(), want.Len())
	}
}

func TestFaults(t *testing.T) {
	file := write(t, "")
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		args []string
		in   io.Reader
		want string
	}{
		"usage":   {[]string{file}, strings.NewReader(""), "usage"},
		"absent":  {[]string{file + "x", "a"}, strings.NewReader(""), "no such file"},
		"token":   {[]string{file, "Mozilla/5.0 (x)"}, strings.NewReader(""), "ExampleBot"},
		"reading": {[]string{file, "a"}, iotest.ErrReader(broken), "broken"},
	} {
		if err := run(c.args, c.in, io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
