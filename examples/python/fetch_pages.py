"""Prints web pages if their sites' robots.txt files allow it, with requests as the HTTP client.

fetch_pages.py TOKEN URL...

``librobots.Cache`` says what to do with a URL, and ``librobots.Fetch`` what the response to the request of a robots.txt
means. The HTTP client of your crawler takes the place of requests. Exit status: 0 all were printed; 1 some were not.
"""

from __future__ import annotations

import sys
import time
from datetime import timedelta

import requests
from urllib3.exceptions import HTTPError

from librobots import Action, Cache, Crawler, Failure, Fetch, RobotsError, Step, Ticket, url_to_send

MOST_SECONDS = 30


def retrieve(ticket: Ticket, session: requests.Session) -> None:
    """Fetch the robots.txt of a ticket's site and submit the outcome."""
    late = time.monotonic() + MOST_SECONDS
    with ticket:
        fetch = ticket.fetch()
        while fetch.step == Step.GET:  # again for each redirect
            try:
                report(fetch, session, late)
            except (OSError, HTTPError, ValueError) as error:
                if fetch.step != Step.DONE:
                    fetch.fail(failure(error))
        ticket.finish(fetch.outcome)


def report(fetch: Fetch, session: requests.Session, late: float) -> None:
    """Send one request, and report the response: all headers, and the bytes of the body as they come."""
    headers = {**fetch.request_headers, "Accept-Encoding": "identity"}
    timeout = max(late - time.monotonic(), 0.001)
    with session.get(fetch.url, headers=headers, allow_redirects=False, stream=True, timeout=timeout) as response:
        raw = response.raw
        fetch.status(raw.status)
        for name, value in raw.headers.items():
            fetch.header(name, value.encode("latin-1"))
        if fetch.headers_end() != Step.BODY:
            return
        # Python takes headers that were cut for whole ones: then nothing says how long the body is.
        is_cut = raw.length_remaining != 0 and not raw.chunked
        for piece in raw.stream(65_536, decode_content=False):
            is_cut = False
            if fetch.body(piece) == Step.DONE:
                return
            if time.monotonic() > late:
                raise requests.Timeout
        if is_cut:
            fetch.fail(Failure.TRUNCATED)
        else:
            fetch.end()


def failure(error: Exception) -> Failure:
    """Return what an error means. The cause is for messages: each one is an outage."""
    if isinstance(error, requests.Timeout):
        return Failure.TIMEOUT
    if isinstance(error, requests.exceptions.SSLError):
        return Failure.TLS
    return Failure.CONNECT if isinstance(error, requests.ConnectionError) else Failure.OTHER


def may_fetch(cache: Cache, url: str, session: requests.Session) -> bool:
    """Return whether a URL may be fetched, at the time of its slot; says on standard error why not."""
    slot = None
    while True:
        decision = cache.request(url, slot=slot)
        slot = decision.request_at
        if decision.ticket is not None:
            retrieve(decision.ticket, session)
        elif decision.allowed and decision.request_in == 0:
            return True
        if decision.allowed:
            time.sleep(decision.request_in)  # the crawl-delay
        elif decision.action == Action.DECIDED:
            print(f"{url}: forbidden: {decision.verdict}", file=sys.stderr)
            return False
        if decision.action == Action.DEFER:
            print(f"{url}: not before {decision.until}: keep the URL", file=sys.stderr)
            return False
        if decision.action == Action.WAIT:  # another thread fetches the robots.txt
            cache.wait(url, timedelta(seconds=MOST_SECONDS))


def main(token: str, *urls: str) -> int:
    """Print the pages. Return the exit status."""
    cache = Cache(Crawler(token))
    session = requests.Session()
    session.headers["User-Agent"] = token
    missing = 0
    for given in urls:
        try:
            url = url_to_send(given)  # what is checked, and sent as it is
            if may_fetch(cache, url, session):
                response = session.get(url, allow_redirects=False, timeout=MOST_SECONDS)
                cache.retry_after(url, response.status_code, response.headers.get("Retry-After"))
                print(response.text)
                continue
        except (requests.RequestException, RobotsError) as error:
            print(f"{given}: {error}", file=sys.stderr)
        missing = 1
    return missing


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
