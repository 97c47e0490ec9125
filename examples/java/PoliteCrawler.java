import io.github.librobots.Crawler;
import io.github.librobots.Rules;
import io.github.librobots.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A small polite crawler: it fetches the robots.txt of each site it meets once, leaves out what that forbids and says by which
 * line, and waits between two pages of a site as long as its crawl-delay says. It stays on the host of the URL given.
 *
 * <pre>java -cp librobots-0.1.0.jar examples/java/PoliteCrawler.java https://example.com/</pre>
 */
public class PoliteCrawler {
    /** The product token is what robots.txt files name; servers see the whole header. */
    private static final String TOKEN = "ExampleBot";
    private static final String USER_AGENT = TOKEN + "/1.0 (+https://example.com/bot)";
    private static final int MOST_PAGES = 100, MOST_OCTETS = 512_000;
    private static final double MOST_DELAY = 30; // who asks for more gets no visit at all
    private static final Pattern LINK = Pattern.compile("href=\"([^\"#]+)");

    private final Crawler crawler = Crawler.of(TOKEN);
    private final HttpClient client =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).connectTimeout(Duration.ofSeconds(10)).build();
    private final Map<URI, Rules> sites = new HashMap<>();
    private final PrintStream out;

    PoliteCrawler(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] args) throws InterruptedException {
        if (args.length != 1) {
            System.err.println("usage: PoliteCrawler URL");
            System.exit(2);
        }
        new PoliteCrawler(System.out).crawl(URI.create(args[0]));
    }

    void crawl(URI start) throws InterruptedException {
        Queue<URI> queue = new ArrayDeque<>(Set.of(start));
        Set<URI> seen = new HashSet<>(queue);
        for (int pages = 0; pages < MOST_PAGES && !queue.isEmpty();) {
            URI page = queue.remove();
            Rules rules = sites.computeIfAbsent(page.resolve("/robots.txt"), this::fetchRules);
            Verdict verdict = rules.check(page.toString());
            if (!verdict.allowed()) {
                out.println("left out " + page + " (" + verdict + ")");
                continue;
            }
            double delay = rules.crawlDelay().orElse(0);
            if (delay > MOST_DELAY) {
                out.println("left out " + page + " (a crawl-delay of " + delay + " s)");
                continue;
            }
            if (pages++ > 0) {
                Thread.sleep((long) (delay * 1000));
            }
            try {
                HttpResponse<InputStream> response = get(page);
                out.println("fetched " + page + " (" + response.statusCode() + ")");
                for (Matcher link = LINK.matcher(new String(read(response), StandardCharsets.UTF_8)); link.find();) {
                    follow(page, link.group(1), start, seen, queue);
                }
            } catch (IOException e) {
                out.println("failed " + page + " (" + e + ")");
            }
        }
    }

    private static void follow(URI page, String link, URI start, Set<URI> seen, Queue<URI> queue) {
        try {
            URI next = page.resolve(link);
            if (start.getRawAuthority().equals(next.getRawAuthority()) && seen.add(next)) {
                queue.add(next);
            }
        } catch (IllegalArgumentException e) {
            // No link.
        }
    }

    /** The rules that follow from what the site answers (SPEC 2): who cannot answer is not visited. */
    private Rules fetchRules(URI robots) {
        try {
            HttpResponse<InputStream> response = get(robots);
            int status = response.statusCode();
            byte[] body = read(response);
            if (status >= 200 && status < 300) {
                return crawler.parse(body);
            }
            boolean unavailable = status >= 300 && status < 500 && status != 429;
            return unavailable ? Rules.allowAll() : Rules.disallowAll();
        } catch (IOException e) {
            return Rules.disallowAll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Rules.disallowAll();
        }
    }

    private HttpResponse<InputStream> get(URI uri) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(uri).header("User-Agent", USER_AGENT).timeout(Duration.ofSeconds(20)).build();
        return client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    }

    private static byte[] read(HttpResponse<InputStream> response) throws IOException {
        try (InputStream in = response.body()) {
            return in.readNBytes(MOST_OCTETS);
        }
    }
}
