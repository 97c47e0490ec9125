import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Serves two small sites, runs the polite crawler on them, and prints the requests that they received. */
public class ServedSite {
    private static final Map<String, String> PAGES = Map.of(
            "/robots.txt", "User-agent: ExampleBot\nDisallow: /private\nAllow: /private/open\nCrawl-delay: 0.3\n",
            "/", "<a href=\"/a\"> <a href=\"/private/x\"> <a href=\"/private/open\"> <a href=\"http://other.example/\"> <a href=\"mailto:x\">",
            "/a", "<a href=\"/\"> <a href=\"b?x=1#top\">",
            "/b", "nothing",
            "/private/open", "<a href=\"/missing\">");

    /** The crawl-delay in nanoseconds, less a millisecond: the clock of the cache has milliseconds. */
    private static final long DELAY = 299_000_000;

    private final String name;
    private final HttpServer server;
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private volatile long last;
    private volatile boolean tooFast;

    private ServedSite(String name, int robotsStatus) throws Exception {
        this.name = name;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().toString();
            requests.add(path + " " + exchange.getRequestHeaders().getFirst("User-Agent").split("/")[0]);
            boolean robots = path.equals("/robots.txt");
            long now = System.nanoTime();
            tooFast |= last != 0 && now - last < DELAY;
            last = now;
            String page = PAGES.get(exchange.getRequestURI().getPath());
            byte[] body = (page == null ? "" : page).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(page == null ? 404 : robots ? robotsStatus : 200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    private String host() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    public static void main(String[] args) throws Exception {
        List<ServedSite> sites = List.of(new ServedSite("one", Integer.parseInt(args[0])), new ServedSite("two", 200));
        List<URI> starts = new ArrayList<>();
        for (ServedSite site : sites) {
            starts.add(URI.create("http://" + site.host() + "/"));
        }
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        new PoliteCrawler(new PrintStream(output, true, StandardCharsets.UTF_8)).crawl(starts);
        String text = output.toString(StandardCharsets.UTF_8);
        for (ServedSite site : sites) {
            site.server.stop(0);
            text = text.replace(site.host(), site.name);
        }
        System.out.print(text);
        for (ServedSite site : sites) {
            System.out.println(site.name + " received " + String.join(", ", site.requests) + (site.tooFast ? ", too fast" : ""));
        }
    }
}
