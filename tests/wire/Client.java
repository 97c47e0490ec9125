import io.github.librobots.CacheDecision;
import io.github.librobots.Crawler;
import io.github.librobots.Origin;
import io.github.librobots.RobotsCache;
import io.github.librobots.http.RobotsFetcher;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/** The client of tests/wire/run for Java. */
public final class Client {
    public static void main(String[] args) throws IOException, InterruptedException {
        RobotsCache cache = RobotsCache.of(Crawler.of("ExampleBot"));
        RobotsFetcher fetcher = RobotsFetcher.of("ExampleBot/1.0");
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(get(cache, fetcher, client, text(line)));
        }
        System.exit(0); // the client has threads
    }

    private static String get(RobotsCache cache, RobotsFetcher fetcher, HttpClient client, String link)
            throws IOException, InterruptedException {
        try {
            String url = Origin.urlToSend(link);
            CacheDecision decision = fetcher.request(cache, url);
            if (!decision.allowed()) {
                return decision.verdict().deferred() ? "error" : "forbidden";
            }
            HttpRequest request = HttpRequest.newBuilder(URI.create(url)).header("User-Agent", "ExampleBot/1.0").build();
            client.send(request, HttpResponse.BodyHandlers.discarding());
            return "sent " + url;
        } catch (IllegalArgumentException e) {
            return "error";
        }
    }

    private static String text(String hex) {
        byte[] bytes = new byte[hex.length() / 2];
        IntStream.range(0, bytes.length).forEach(i -> bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16));
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
