import io.github.librobots.CacheDecision;
import io.github.librobots.Crawler;
import io.github.librobots.Origin;
import io.github.librobots.Outcome;
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
 * A small polite crawler: breadth-first over the sites of the URLs given. Each site has its own queue, of which one page is fetched
 * when the site's crawl-delay has passed; meanwhile the others have their turn. What a robots.txt forbids is left out, and it says by
 * which line. How far it is goes to the terminal, a summary to the end.
 *
 * <pre>java -cp librobots-0.1.0.jar examples/java/PoliteCrawler.java https://example.com/</pre>
 */
public class PoliteCrawler {
    /** The product token is what robots.txt files name; servers see the whole header. */
    private static final String TOKEN = "ExampleBot";
    private static final String USER_AGENT = TOKEN + "/1.0 (+https://example.com/bot)";
    private static final int MOST_PAGES = 100, MOST_OCTETS = 512_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    /** Who asks for more than this many seconds gets no visit at all. */
    private static final double LONGEST_DELAY = 30;

    private static final Pattern LINK = Pattern.compile("href=\"([^\"#]+)");

    /** The URLs of one site that wait for their turn. */
    private static final class Site {
        final Queue<URI> waiting = new ArrayDeque<>();
        Instant notBefore = Instant.MIN;
    }

    private final RobotsCache cache = RobotsCache.of(Crawler.of(TOKEN));
    // A redirect of a page is a link like any other: its target may be forbidden.
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final RobotsFetcher fetcher = RobotsFetcher.of(client, USER_AGENT, TIMEOUT);
    private final Map<Origin, Site> sites = new LinkedHashMap<>();
    private final Set<URI> seen = new HashSet<>();
    private final PrintStream out;
    private int fetched, leftOut, failed, putOff;

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
            starts.add(URI.create(url));
        }
        new PoliteCrawler(System.out).crawl(starts);
    }

    void crawl(List<URI> starts) throws InterruptedException {
        for (URI start : starts) {
            sites.putIfAbsent(Origin.of(start.toString()), new Site());
            follow(start);
        }
        while (fetched + failed < MOST_PAGES) {
            Optional<Site> next = sites.values().stream().filter(s -> !s.waiting.isEmpty()).min(Comparator.comparing(s -> s.notBefore));
            if (next.isEmpty()) {
                break;
            }
            visit(next.get());
            progress();
        }
        out.println(sites.size() + (sites.size() == 1 ? " site: " : " sites: ") + fetched + " pages fetched, " + leftOut + " left out, "
                + putOff + " put off, " + failed + " failed");
    }

    /** Deals with the next URL of a site. */
    private void visit(Site site) throws InterruptedException {
        URI page = site.waiting.element();
        CacheDecision answer = cache.check(page.toString());
        if (answer.ticket().isPresent()) { // nobody knows the robots.txt, or it is old: ours to fetch
            fetcher.fetch(cache, answer.ticket().get());
            return; // and ask again
        }
        double delay = crawlDelay(page);
        if (answer.action() != CacheDecision.Action.DECIDED) {
            // The site cannot be asked now. A crawler that lives for longer would keep the URLs until then.
            out.println("put off " + page + " (" + answer + ")");
            putOff += site.waiting.size();
            site.waiting.clear();
        } else if (!answer.allowed()) {
            site.waiting.remove();
            leftOut++;
            out.println("left out " + page + " (" + answer.verdict() + ")");
        } else if (delay > LONGEST_DELAY) {
            site.waiting.remove();
            leftOut++;
            out.println("left out " + page + " (a crawl-delay of " + delay + " s)");
        } else if (Instant.now().isBefore(site.notBefore)) {
            Thread.sleep(Math.max(1, Duration.between(Instant.now(), site.notBefore).toMillis()));
        } else {
            site.waiting.remove();
            fetch(page);
            site.notBefore = Instant.now().plusMillis((long) (delay * 1000));
        }
    }

    /** The seconds that the robots.txt asks for between two requests. */
    private double crawlDelay(URI page) {
        Optional<Outcome> known = cache.outcome(page.toString());
        return known.isPresent() ? known.get().rules().crawlDelay().orElse(0) : 0;
    }

    private void fetch(URI page) throws InterruptedException {
        try {
            HttpRequest request = HttpRequest.newBuilder(page).header("User-Agent", USER_AGENT).timeout(TIMEOUT).build();
            HttpResponse<InputStream> response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            String text;
            try (InputStream in = response.body()) {
                text = new String(in.readNBytes(MOST_OCTETS), StandardCharsets.UTF_8);
            }
            fetched++;
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
            follow(page.resolve(link));
        } catch (IllegalArgumentException e) {
            // No link.
        }
    }

    /** Queues a URL that was not met before, if it is of one of the sites. */
    private void follow(URI url) {
        Site site = sites.get(Origin.of(url.toString()));
        if (site != null && seen.add(url)) {
            site.waiting.add(url);
        }
    }

    private void progress() {
        if (System.console() != null) {
            int waiting = sites.values().stream().mapToInt(s -> s.waiting.size()).sum();
            System.err.print("\r" + fetched + " fetched, " + leftOut + " left out, " + waiting + " waiting \r");
        }
    }
}
