import io.github.librobots.CacheDecision;
import io.github.librobots.Crawler;
import io.github.librobots.Origin;
import io.github.librobots.RobotsCache;
import io.github.librobots.http.RobotsFetcher;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A small polite crawler, breadth-first over the sites of the given URLs. Each site has its own queue and is visited once per
 * crawl-delay; other sites are visited in between. It skips URLs that a robots.txt disallows and prints the line that decides. It shows
 * its progress on the terminal and prints a summary at the end.
 *
 * <pre>java -cp librobots-0.1.0.jar examples/java/PoliteCrawler.java https://example.com/</pre>
 */
public class PoliteCrawler {
    /** The product token, which robots.txt files name; servers receive the whole header. */
    private static final String TOKEN = "ExampleBot";
    private static final String USER_AGENT = TOKEN + "/1.0 (+https://example.com/bot)";
    private static final int MAX_PAGES = 100, MAX_BYTES = 512_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final Pattern LINK = Pattern.compile("href=\"([^\"#]+)");

    /** The queue of one site. */
    private static final class Site {
        final Queue<URI> waiting = new ArrayDeque<>();
        /** The slot of the first URL; EPOCH until it is reserved. */
        Instant slot = Instant.EPOCH;
    }

    private final RobotsCache cache = RobotsCache.of(Crawler.of(TOKEN));
    // A redirect of a page is a link like any other: its target may be forbidden.
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final RobotsFetcher fetcher = RobotsFetcher.of(client, USER_AGENT, TIMEOUT);
    private final Map<Origin, Site> sites = new LinkedHashMap<>();
    private final Set<URI> seen = new HashSet<>();
    private final PrintStream out;
    private int fetched, skipped, failed, deferred;

    PoliteCrawler(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] args) throws InterruptedException {
        if (args.length == 0) {
            System.err.println("usage: PoliteCrawler URL...");
            System.exit(2);
        }
        List<URI> starts = new ArrayList<>();
        for (String url : args) {
            starts.add(URI.create(Origin.urlToSend(url)));
        }
        new PoliteCrawler(System.out).crawl(starts);
    }

    void crawl(List<URI> starts) throws InterruptedException {
        for (URI start : starts) {
            sites.putIfAbsent(Origin.of(start.toString()), new Site());
            follow(start);
        }
        while (fetched + failed < MAX_PAGES) {
            Optional<Site> next = sites.values().stream().filter(s -> !s.waiting.isEmpty()).min(Comparator.comparing(s -> s.slot));
            if (next.isEmpty()) {
                break;
            }
            visit(next.get());
            progress();
        }
        out.println(sites.size() + (sites.size() == 1 ? " site: " : " sites: ") + fetched + " pages fetched, " + skipped + " skipped, "
                + deferred + " deferred, " + failed + " failed");
    }

    /** Handles the next URL of a site. */
    private void visit(Site site) throws InterruptedException {
        Thread.sleep(Math.max(0, Duration.between(Instant.now(), site.slot).toMillis())); // no other site has an earlier slot
        URI page = site.waiting.element();
        CacheDecision decision = cache.request(0, page.toString(), site.slot);
        site.slot = decision.requestAt().orElse(Instant.EPOCH);
        if (decision.ticket().isPresent()) { // the robots.txt is unknown or old, and this thread fetches it
            fetcher.fetch(cache, decision.ticket().get());
            return; // check again
        }
        if (decision.action() != CacheDecision.Action.DECIDED) {
            // The site is unreachable, which is no ban. A long-running crawler keeps its URLs until decision.until().
            out.println("deferred " + page + " (" + decision + ")");
            deferred += site.waiting.size();
            site.waiting.clear();
        } else if (!decision.allowed()) {
            site.waiting.remove();
            skipped++;
            out.println("skipped " + page + " (" + decision.verdict() + ")");
        } else if (decision.requestIn().isZero()) {
            site.slot = Instant.EPOCH;
            fetch(site.waiting.remove());
        }
    }

    private void fetch(URI page) throws InterruptedException {
        try {
            HttpRequest request = HttpRequest.newBuilder(page).header("User-Agent", USER_AGENT).timeout(TIMEOUT).build();
            HttpResponse<InputStream> response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            String text;
            try (InputStream in = response.body()) {
                text = new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
            }
            fetched++;
            cache.retryAfter(page.toString(), response.statusCode(), response.headers().firstValue("Retry-After").orElse(null));
            out.println("fetched " + page + " (" + response.statusCode() + ")");
            response.headers().firstValue("Location").ifPresent(target -> follow(page, target));
            for (Matcher link = LINK.matcher(text); link.find();) {
                follow(page, link.group(1));
            }
        } catch (IOException e) {
            failed++;
            out.println("failed " + page + " (" + e + ")");
        }
    }

    private void follow(URI page, String link) {
        try {
            follow(URI.create(Origin.urlToSend(page.resolve(link).toString()))); // what is checked, and sent as it is
        } catch (IllegalArgumentException e) {
            // Not a URL.
        }
    }

    /** Queues a new URL of one of the sites. */
    private void follow(URI url) {
        Site site = sites.get(Origin.of(url.toString()));
        if (site != null && seen.add(url)) {
            site.waiting.add(url);
        }
    }

    private void progress() {
        if (System.console() != null) {
            int waiting = sites.values().stream().mapToInt(s -> s.waiting.size()).sum();
            System.err.print("\r" + fetched + " fetched, " + skipped + " skipped, " + waiting + " waiting \r");
        }
    }
}
