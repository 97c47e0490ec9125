#!/usr/bin/env python3
"""A small web site for crawlers to be tried on, served on loopback.

    server.py [--log FILE] [--tls PEM] [--agent TOKEN] KIND...

One site for each KIND, each on a port of its own, so each an origin of its own. All have the same pages; KIND says how
the robots.txt is answered (see KINDS). The home page links to everything, forbidden pages and the other sites among it.
Once all listen, a line "KIND http://127.0.0.1:PORT/" (https with --tls) for each is printed; it ends when its standard input does.

The log has a line for each request: SECONDS KIND STATUS PATH. Nothing here knows librobots: a reader of ROBOTS finds
what is forbidden.
"""

import argparse
import gzip
import ssl
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

HOST = "127.0.0.1"
ROBOTS = b"""\
# ExampleBot may see most of it, and others nothing.
User-agent: *
Disallow: /

User-agent: ExampleBot
Crawl-delay: 0.1
Disallow: /private/
Allow: /private/notice.html   # longer, so it wins
Disallow: /*.pdf$
"""

# Page -> pages it links to. What is not here is answered 404.
PAGES = {
    "/": ["/teas.html", "about.html#us", "/private/", "/private/notice.html", "/list.pdf", "/list.pdf?page=1",
          "/busy/once.html", "/old.html", "mailto:tea@example.com", "/missing.html", "/drafts.html"],
    "/teas.html": ["/teas/oolong.html?cup=1&amp;milk=no", "teas/sencha.html", "/private/%64iary.html", "/"],
    "/teas/oolong.html?cup=1&milk=no": ["../list.pdf", "./sencha.html"],
    "/teas/sencha.html": ["/teas.html", "../priv%61te/letters.html"],
    "/about.html": ["/busy/always.html"],
    "/new.html": ["/teas.html"],
    "/list.pdf?page=1": [],
    "/busy/once.html": ["/about.html"],
    "/private/": ["/private/deeper.html"],
    "/private/notice.html": ["/private/diary.html"],
    "/private/diary.html": [],
    "/private/deeper.html": [],
    "/private/letters.html": [],
    "/list.pdf": [],
    "/drafts.html": ["/drafts/hidden.html"],
    "/drafts/hidden.html": [],
}

# Page -> what its X-Robots-Tag says.
PAGE_CONTROLS = {
    "/about.html": "noindex",
    "/drafts.html": "otherbot: all, examplebot: noindex, nofollow",
    "/teas.html": "otherbot: noindex, nofollow",
}


class Site(BaseHTTPRequestHandler):
    """One request; `self.server` is the site it was sent to."""

    def do_GET(self):
        if self.server.agent not in self.headers.get("User-Agent", ""):
            self.answer(400, b"")
        elif self.path == "/robots.txt":
            KINDS[self.server.kind](self)
        elif self.path == "/moved/robots.txt":
            elsewhere = (self.server.neighbours or [self.server.address])[0]  # another site, if there is one
            self.answer(302, b"", location=elsewhere + "moved/again.txt")
        elif self.path == "/moved/again.txt":
            self.answer(200, ROBOTS)
        elif self.path == "/old.html":
            self.answer(301, b"", location="/new.html")
        elif self.path == "/busy/once.html" and self.first_time():
            self.answer(429, b"", retry_after=1)
        elif self.path == "/busy/always.html":
            self.answer(503, b"", retry_after=1)
        elif unquote(self.path) in PAGES:
            controls = {"x_robots_tag": PAGE_CONTROLS[self.path]} if self.path in PAGE_CONTROLS else {}
            self.answer(200, self.page(), content_type="text/html; charset=utf-8", **controls)
        else:
            self.answer(404, b"")

    def page(self):
        links = PAGES[unquote(self.path)] + (self.server.neighbours if self.path == "/" else [])
        items = "".join(f'<li><a href="{link}">{link}</a>\n' for link in links)
        return f"<!doctype html>\n<title>{self.path}</title>\n<ul>\n{items}</ul>\n".encode()

    def first_time(self):
        """Whether this path is asked for the first time."""
        with self.server.lock:
            first = self.path not in self.server.asked
            self.server.asked.add(self.path)
        return first

    def answer(self, status, body, content_type="text/plain", length=None, **headers):
        """Sends a whole response; `length` is what it claims to be long."""
        self.note(status)
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)

    def note(self, status):
        with self.server.log_lock:
            print(f"{time.monotonic():.3f}", self.server.kind, status, self.path, file=self.server.log, flush=True)

    def log_message(self, *_):
        """Not on the terminal: note() keeps the log."""

    # --- robots.txt, by the kind of site ---

    def plain(self):
        self.answer(200, ROBOTS)

    def moved(self):
        self.answer(301, b"", location="/moved/robots.txt")

    def missing(self):
        self.answer(404, b"")

    def slow(self):
        self.answer(200, b"user-agent: *\ncrawl-delay: 1\n")

    def brisk(self):
        self.answer(200, b"user-agent: *\ncrawl-delay: 0.2\n")

    def free(self):
        self.answer(200, b"user-agent: *\ndisallow:\n")

    def delayed(self):
        """Takes a second."""
        time.sleep(1)
        self.free()

    def unauthorized(self):
        self.answer(401, b"", www_authenticate="Basic")

    def recovering(self):
        if self.first_time():
            self.answer(503, b"", retry_after=2)
        else:
            self.plain()

    def overrun(self):
        self.answer(429, b"", retry_after=3600)

    def closed(self):
        self.answer(200, b"user-agent: ExampleBot\ndisallow: /\n")

    def half(self):
        self.answer(200, b"user-agent: *\nallow: /\n", length=1000)
        self.close_connection = True

    def encoded(self):
        self.answer(200, gzip.compress(ROBOTS), content_encoding="gzip")

    def archive(self):
        """gzip without saying so: as a text, it has no rules."""
        self.answer(200, gzip.compress(ROBOTS), content_type="application/gzip")

    def aging(self):
        """Lives for a second, and never changes."""
        unchanged = self.headers["If-None-Match"] == '"1"'
        self.answer(304 if unchanged else 200, b"" if unchanged else ROBOTS, etag='"1"', cache_control="max-age=1")

    def endless(self):
        self.note(200)
        self.send_response(200)
        self.end_headers()
        try:
            self.wfile.write(ROBOTS)
            while True:
                self.wfile.write(b"# and so on\n" * 1000)
        except OSError:
            pass  # the client has had enough

    def html(self):
        self.answer(200, b"<!doctype html><title>Welcome</title><p>No rules here", content_type="text/html")

    def drip(self):
        self.note(200)
        self.send_response(200)
        self.end_headers()
        try:
            for byte in ROBOTS:
                self.wfile.write(bytes([byte]))
                time.sleep(0.1)
        except OSError:
            pass  # the client has had enough

    def loop(self):
        self.answer(302, b"", location="/robots.txt")

    def reset(self):
        self.note(0)
        self.close_connection = True


class Server(ThreadingHTTPServer):
    """The threads of one site."""

    daemon_threads = True
    request_queue_size = 128  # a connection too many would be made a second later: 5 are too few for 50 tasks at once


KINDS = {name: vars(Site)[name] for name in (
    "plain", "moved", "missing", "unauthorized", "recovering", "overrun", "closed", "half", "encoded", "archive", "aging",
    "endless", "html", "drip", "loop", "reset", "slow", "brisk", "free", "delayed")}


def start(kinds, log, pem=None, agent=""):
    """Starts a site for each kind, and returns the servers; each listens."""
    log_lock = threading.Lock()
    servers = []
    for kind in kinds:
        server = Server((HOST, 0), Site)  # any free port
        server.kind, server.log, server.log_lock, server.agent = kind, log, log_lock, agent
        if pem:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(pem)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        host = f"[{HOST}]" if ":" in HOST else HOST
        server.address = f"{'https' if pem else 'http'}://{host}:{server.server_port}/"
        server.lock, server.asked = threading.Lock(), set()
        servers.append(server)
    for server in servers:
        server.neighbours = [other.address for other in servers if other is not server]
        threading.Thread(target=server.serve_forever, daemon=True).start()
    return servers


def main():
    parser = argparse.ArgumentParser(description="A small web site for crawlers to be tried on, on loopback.")
    parser.add_argument("--log", type=argparse.FileType("w"), default=sys.stderr, help="where to note the requests")
    parser.add_argument("--tls", metavar="PEM", help="speak TLS, with the key and the certificate of this file")
    parser.add_argument("--agent", metavar="TOKEN", default="", help="answer 400 unless the User-Agent names it")
    parser.add_argument("kind", nargs="+", choices=sorted(KINDS), metavar="KIND", help=", ".join(KINDS))
    arguments = parser.parse_args()
    for server in start(arguments.kind, arguments.log, arguments.tls, arguments.agent):
        print(server.kind, server.address, flush=True)
    sys.stdin.buffer.read()


if __name__ == "__main__":
    main()
