import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;
import org.archive.modules.CrawlURI;
import org.archive.modules.net.RobotsPolicy;
import org.archive.modules.net.Robotstxt;
import org.archive.net.UURIFactory;

/** Fetches each URL of a file that a robots policy of Heritrix allows: Decide own|librobots FILE */
public class Decide {
    private static final String USER_AGENT = "Mozilla/5.0 (compatible; ExampleBot/1.0 +https://example.com/bot)";

    public static void main(String[] args) throws Exception {
        boolean own = args[0].equals("own");
        RobotsPolicy policy = own ? RobotsPolicy.STANDARD_POLICIES.get("obey") : new LibrobotsPolicy("ExampleBot", "ExampleBot/1.0");
        Map<String, Robotstxt> sites = new HashMap<>();
        for (String url : Files.readAllLines(Paths.get(args[1]))) {
            Robotstxt robotstxt = Robotstxt.NO_ROBOTS;
            if (own) {
                String site = new URL(url).getAuthority();
                if (!sites.containsKey(site)) {
                    sites.put(site, fetch(new URL(url)));
                }
                robotstxt = sites.get(site);
            }
            if (policy.allows(USER_AGENT, new CrawlURI(UURIFactory.getInstance(url)), robotstxt)) {
                open(new URL(url)).getResponseCode();
            }
        }
    }

    /** As Heritrix does: each status but 2xx allows everything. */
    private static Robotstxt fetch(URL url) throws Exception {
        HttpURLConnection connection = open(new URL(url, "/robots.txt"));
        if (connection.getResponseCode() / 100 != 2) {
            return Robotstxt.NO_ROBOTS;
        }
        try (InputStreamReader reader = new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8)) {
            return new Robotstxt(reader);
        }
    }

    private static HttpURLConnection open(URL url) throws Exception {
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        connection.setInstanceFollowRedirects(false);
        connection.setRequestProperty("User-Agent", USER_AGENT);
        return connection;
    }
}
