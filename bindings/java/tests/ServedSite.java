import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Serves a small site and sends the polite crawler there: what it asked for goes to standard output. */
public class ServedSite {
    private static final Map<String, String> PAGES = Map.of(
            "/robots.txt", "User-agent: ExampleBot\nDisallow: /private\nAllow: /private/open\nCrawl-delay: 0.3\n",
            "/", "<a href=\"/a\"> <a href=\"/private/x\"> <a href=\"/private/open\"> <a href=\"http://other.example/\">",
            "/a", "<a href=\"/\"> <a href=\"b?x=1#top\">",
            "/b", "nothing",
            "/private/open", "<a href=\"/missing\">");

    public static void main(String[] args) throws Exception {
        int robotsStatus = Integer.parseInt(args[0]);
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().toString();
            asked.add(path + " " + exchange.getRequestHeaders().getFirst("User-Agent").split("/")[0]);
            String page = PAGES.get(exchange.getRequestURI().getPath());
            byte[] body = (page == null ? "" : page).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(page == null ? 404 : path.equals("/robots.txt") ? robotsStatus : 200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        String site = "http://127.0.0.1:" + server.getAddress().getPort();
        long start = System.nanoTime();
        PoliteCrawler.main(new String[] {site + "/"});
        long waited = (System.nanoTime() - start) / 1_000_000;
        server.stop(0);
        System.out.println("asked " + String.join(", ", asked));
        System.out.println("waited " + (waited >= 1200 ? "4 times 0.3 s" : "too little: " + waited + " ms"));
    }
}
