import crawlercommons.robots.BaseRobotRules;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import org.apache.storm.Config;
import org.apache.stormcrawler.Metadata;
import org.apache.stormcrawler.protocol.Protocol;
import org.apache.stormcrawler.protocol.ProtocolResponse;

/** A protocol in place of StormCrawler's own, which are in no registry. */
public class Http implements Protocol {
    @Override
    public void configure(Config conf) {}

    @Override
    public ProtocolResponse getProtocolOutput(String url, Metadata metadata) throws Exception {
        HttpURLConnection connection = (HttpURLConnection) new URL(url).openConnection();
        connection.setInstanceFollowRedirects(false);
        connection.setRequestProperty("User-Agent", "ExampleBot/1.0");
        connection.setReadTimeout(20_000);
        int status = connection.getResponseCode();
        int limit = metadata == null ? 1 << 20 : Integer.parseInt(metadata.getFirstValue("http.content.limit"));
        byte[] body = new byte[0];
        if (status == 200) {
            try (InputStream in = connection.getInputStream()) {
                body = in.readNBytes(limit);
            }
        }
        Metadata headers = new Metadata();
        headers.addValue("http.trimmed", Boolean.toString(body.length == limit));
        if (connection.getHeaderField("Location") != null) {
            headers.addValue("location", connection.getHeaderField("Location"));
        }
        return new ProtocolResponse(body, status, headers);
    }

    @Override
    public BaseRobotRules getRobotRules(String url) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void cleanup() {}
}
