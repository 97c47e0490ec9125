import io.github.librobots.Crawler;
import io.github.librobots.RobotsCache;
import io.github.librobots.http.RobotsFetcher;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Requests the first URL, then each of the others in a thread of its own, for tests/woken/run. */
class Woken {
    public static void main(String[] urls) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        RobotsFetcher fetcher = RobotsFetcher.of(client, "ExampleBot/1.0", Duration.ofSeconds(30));
        RobotsCache cache = RobotsCache.of(Crawler.of("ExampleBot"));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<?>> results = new ArrayList<>();
        for (String url : urls) {
            results.add(threads.submit(() -> get(client, fetcher, cache, url)));
            if (results.size() == 1) {
                results.get(0).get();
            }
        }
        for (Future<?> result : results) {
            result.get();
        }
        threads.shutdown();
    }

    private static Integer get(HttpClient client, RobotsFetcher fetcher, RobotsCache cache, String url) throws Exception {
        if (!fetcher.request(cache, url).allowed()) {
            throw new IllegalStateException(url);
        }
        return client.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    }
}
