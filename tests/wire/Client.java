import io.github.librobots.CacheDecision;
import io.github.librobots.Crawler;
import io.github.librobots.Origin;
import io.github.librobots.Outcome;
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
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** The client of tests/wire/run for Java: Client BASE, or Client ways SECONDS. */
public final class Client {
    private static final String AGENT = "ExampleBot/1.0";
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final RobotsCache CACHE = RobotsCache.of(Crawler.of("ExampleBot"));

    public static void main(String[] args) throws IOException, InterruptedException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        if (args[0].equals("ways")) {
            RobotsFetcher fetcher = RobotsFetcher.of(CLIENT, AGENT, Duration.ofMillis((long) (1000 * Double.parseDouble(args[1]))));
            ExecutorService threads = Executors.newFixedThreadPool(24);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] way = line.split(" ");
                threads.submit(() -> visit(fetcher, way[0], way[1]));
            }
            threads.shutdown();
            threads.awaitTermination(5, TimeUnit.MINUTES);
        } else {
            RobotsFetcher fetcher = RobotsFetcher.of(AGENT);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println(get(fetcher, text(line)));
            }
        }
        System.exit(0); // the client has threads
    }

    private static void visit(RobotsFetcher fetcher, String way, String base) {
        StringBuilder answers = new StringBuilder(way);
        for (String page : new String[] {"open", "private"}) {
            String got;
            try {
                got = get(fetcher, base + "/" + page);
            } catch (IOException | InterruptedException | RuntimeException e) {
                got = e.toString();
            }
            answers.append(' ').append(page).append('=').append(got.startsWith("sent ") ? "allowed" : got);
        }
        System.out.println(answers.append(" kind=").append(CACHE.outcome(base).map(Client::described).orElse("- for=-")));
    }

    private static String described(Outcome outcome) {
        long seconds = Duration.between(outcome.fetchedAt(), outcome.retryAt()).getSeconds();
        return outcome.kind().name().toLowerCase() + " for=" + Math.round(seconds / 60.0);
    }

    private static String get(RobotsFetcher fetcher, String link) throws IOException, InterruptedException {
        String url;
        try {
            url = Origin.urlToSend(link);
        } catch (IllegalArgumentException e) {
            return "error";
        }
        CacheDecision decision = fetcher.request(CACHE, url);
        if (!decision.allowed()) {
            return decision.verdict().deferred() ? "deferred" : "forbidden";
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).header("User-Agent", AGENT).build();
        HttpResponse<Void> response = CLIENT.send(request, HttpResponse.BodyHandlers.discarding());
        CACHE.retryAfter(url, response.statusCode(), response.headers().firstValue("Retry-After").orElse(null));
        return "sent " + url;
    }

    private static String text(String hex) {
        byte[] bytes = new byte[hex.length() / 2];
        IntStream.range(0, bytes.length).forEach(i -> bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16));
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
