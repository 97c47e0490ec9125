package io.github.librobots.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.librobots.Outcome;
import io.github.librobots.Outcome.Cause;
import io.github.librobots.Outcome.Kind;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What holds over several requests and headers of one fetch. */
class FetcherHopsTest extends Fetching {
    @Test
    void the_deadline_is_for_all_redirects_together() throws Exception {
        site.answers(exchange -> {
            try {
                Thread.sleep(300);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            int hop = site.requests.size();
            if (hop > 3) {
                Site.send(exchange, 200, FILE.getBytes(StandardCharsets.UTF_8));
            } else {
                Site.send(exchange, 302, new byte[0], "Location", "/" + hop);
            }
        });
        RobotsFetcher hasty = RobotsFetcher.of(HttpClient.newHttpClient(), "ExampleBot/1.0", Duration.ofMillis(700));
        outcome(Kind.UNREACHABLE, Cause.TIMEOUT, hasty.fetch(cache, cache.check(site.url("/page")).ticket().orElseThrow()));
    }

    @Test
    void the_second_header_of_a_name_counts() throws Exception {
        site.answers(200, FILE, "Cache-Control", "public", "Cache-Control", "max-age=7200");
        Outcome found = fetch();
        assertEquals(in(7200), found.freshUntil());
    }
}
