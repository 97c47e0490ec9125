package robots

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
)

// A partner is a running C program (testdata/partner.c) that decides with the handles of the C API.
type partner struct {
	lock sync.Mutex
	in   io.Writer
	out  *bufio.Reader
}

type question struct {
	dialect    Dialect
	option     uint32 // set to 1; 0: none
	body       []byte
	token, url string
	image      []byte
}

type answer struct {
	status       Error
	verdict      Verdict
	image        []byte
	imageStatus  Error
	imageVerdict Verdict
}

// thePartner starts the program once per process. It ends with its standard input.
var thePartner = sync.OnceValues(func() (*partner, error) {
	program := os.Getenv("ROBOTS_C_PARTNER")
	if program == "" {
		return nil, nil
	}
	command := exec.Command(program)
	command.Stderr = os.Stderr
	in, inErr := command.StdinPipe()
	out, outErr := command.StdoutPipe()
	return &partner{in: in, out: bufio.NewReader(out)}, errors.Join(inErr, outErr, command.Start())
})

func startPartner(t testing.TB) *partner {
	p, err := thePartner()
	if err != nil {
		t.Fatal(err)
	}
	if p == nil {
		t.Fatal("ROBOTS_C_PARTNER names no program that answers as C: run make go-test T=" + t.Name())
	}
	return p
}

func (p *partner) ask(t testing.TB, q question) answer {
	t.Helper()
	p.lock.Lock()
	defer p.lock.Unlock()
	text := fmt.Appendf(nil, "%d %d %d %d %d %d\n%s%s%s%s", q.dialect, q.option, len(q.body), len(q.token), len(q.url),
		len(q.image), q.body, q.token, q.url, q.image)
	if _, err := p.in.Write(text); err != nil {
		t.Fatal("the C program has ended: ", err)
	}
	var a answer
	var length int
	_, err := fmt.Fscanf(p.out, "%d %d %d %d %d\n", &a.status, &a.verdict, &length, &a.imageStatus, &a.imageVerdict)
	a.image = make([]byte, length)
	if _, err2 := io.ReadFull(p.out, a.image); err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	return a
}

// comparePartner checks that Go and C return the same image and verdicts, and read each other's images.
func comparePartner(t testing.TB, p *partner, q question) {
	t.Helper()
	var options []Option
	if option, ok := readSwitches[q.option]; ok {
		options = append(options, option)
	} else {
		q.option = 0
	}
	options = append(options, WithDialect(q.dialect))
	crawler, err := NewCrawler(q.token, options...)
	if q.token == "*" { // C's name of a crawler without a token
		crawler, err = NewCrawlerWithoutToken(options...)
	}
	if err != nil {
		if a := p.ask(t, q); !errors.Is(err, a.status) || a.verdict.Allowed() || len(a.image) != 0 {
			t.Fatalf("%+v: Go says %v, C status %d", q, err, a.status)
		}
		return
	}
	rules, err := crawler.Parse(q.body)
	if err != nil {
		t.Fatal(err)
	}
	q.image = rules.image
	got, a := rules.Check(q.url), p.ask(t, q)
	if a.status != 0 || a.verdict != got || a.imageStatus != 0 || a.imageVerdict != got || !bytes.Equal(a.image, q.image) {
		t.Fatalf("%+v: Go says %v, C %+v", q, got, a)
	}
	var fromC Rules
	if err := fromC.UnmarshalBinary(a.image); err != nil || fromC.Check(q.url) != got {
		t.Fatalf("%+v: an image from C: %v, %v", q, err, fromC.Check(q.url))
	}
	if batched := rules.CheckBatch([]string{"/", q.url}, nil); batched[1] != got {
		t.Fatalf("%+v: %v in a batch", q, batched[1])
	}
}

func TestImagesBetweenCAndGo(t *testing.T) {
	p := startPartner(t)
	compared := 0
	for _, c := range readCases(t, caseFolder(t)) {
		for _, want := range c.verdicts {
			comparePartner(t, p, question{dialect: c.dialect, body: c.body, token: "ExampleBot", url: want.url})
			compared++
		}
	}
	if compared < 500 {
		t.Errorf("only %d URLs were compared", compared)
	}
}

func FuzzCheck(f *testing.F) {
	p := startPartner(f)
	f.Add(uint8(0), "user-agent: *\ndisallow: /a\n", "ExampleBot", "https://example.com/a")
	f.Add(uint8(1), "user-agent: b\nallow: /*x$\ndisallow: /\n", "b", "/%61x")
	f.Add(uint8(2), "user-agent: *\n\ncrawl-delay: 1\n", "a b", "robots.txt")
	f.Add(uint8(10), "", "ExampleBot", "/robots.txt")
	f.Fuzz(func(t *testing.T, kind uint8, body, token, url string) {
		comparePartner(t, p, question{
			dialect: Dialect(kind % 3), option: uint32(kind / 3 % 6), body: []byte(body), token: token, url: url,
		})
	})
}
