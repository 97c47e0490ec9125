import crawlercommons.robots.BaseRobotRules;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.net.protocols.Response;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.protocol.Protocol;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;
import org.apache.nutch.protocol.RobotRulesParser;

/**
 * A protocol of Nutch in place of its plugins for HTTP, which are in no registry. It parses robots.txt with Nutch's own class. Like
 * these plugins it defers after status 5xx, allows everything after another failure, and reads at most 1 MiB.
 */
public class Http implements Protocol {
    private static final int MAX_CONTENT = 1 << 20;

    private Configuration conf;
    private OwnRobots robots;

    /** Nutch's class for robots.txt. */
    private static final class OwnRobots extends RobotRulesParser {
        @Override
        public BaseRobotRules getRobotRulesSet(Protocol http, URL url, List<Content> contents) {
            String origin = url.getProtocol() + ":" + url.getHost() + ":" + url.getPort();
            BaseRobotRules rules = CACHE.get(origin);
            if (rules == null) {
                rules = fetch(http, url);
                CACHE.put(origin, rules);
            }
            return rules;
        }

        private BaseRobotRules fetch(Protocol http, URL url) {
            try {
                URL target = new URL(url, "/robots.txt");
                for (int redirects = 0; redirects <= maxNumRedirects; redirects++) {
                    CrawlDatum datum = new CrawlDatum();
                    ProtocolOutput output = http.getProtocolOutput(new Text(target.toString()), datum);
                    int code = output.getStatus().getCode();
                    if (code == ProtocolStatus.SUCCESS) {
                        Content content = output.getContent();
                        return parseRules(url.toString(), content.getContent(), content.getContentType(), agentNames);
                    } else if (String.valueOf(datum.getMetaData().get(Nutch.PROTOCOL_STATUS_CODE_KEY)).startsWith("5")) {
                        return DEFER_VISIT_RULES;
                    } else if (code != ProtocolStatus.MOVED) {
                        return EMPTY_RULES;
                    }
                    target = new URL(target, output.getStatus().getMessage());
                }
            } catch (IOException e) {
                System.err.println(e);
            }
            return EMPTY_RULES;
        }
    }

    @Override
    public void setConf(Configuration conf) {
        this.conf = conf;
        robots = new OwnRobots();
        robots.setConf(conf);
    }

    @Override
    public Configuration getConf() {
        return conf;
    }

    @Override
    public BaseRobotRules getRobotRules(Text url, CrawlDatum datum, List<Content> contents) {
        return robots.getRobotRulesSet(this, url, contents);
    }

    @Override
    public ProtocolOutput getProtocolOutput(Text url, CrawlDatum datum) {
        try {
            HttpURLConnection connection = (HttpURLConnection) new URL(url.toString()).openConnection();
            connection.setInstanceFollowRedirects(false);
            connection.setRequestProperty("User-Agent", "ExampleBot/1.0");
            connection.setReadTimeout(20_000);
            int status = connection.getResponseCode();
            datum.getMetaData().put(Nutch.PROTOCOL_STATUS_CODE_KEY, new Text(Integer.toString(status)));
            byte[] body = new byte[0];
            Metadata headers = new Metadata();
            if (status == 200) {
                try (InputStream in = connection.getInputStream()) {
                    body = in.readNBytes(MAX_CONTENT);
                    if (body.length == MAX_CONTENT) {
                        headers.set(Response.TRUNCATED_CONTENT, "true");
                    }
                }
            }
            Content content = new Content(url.toString(), url.toString(), body, connection.getContentType(), headers, conf);
            return new ProtocolOutput(content, statusOf(status, connection, url));
        } catch (IOException e) {
            return new ProtocolOutput(null, new ProtocolStatus(e));
        }
    }

    private static ProtocolStatus statusOf(int status, HttpURLConnection connection, Text url) throws IOException {
        if (status == 200) {
            return ProtocolStatus.STATUS_SUCCESS;
        } else if (status / 100 == 3) {
            return new ProtocolStatus(ProtocolStatus.MOVED, new URL(connection.getURL(), connection.getHeaderField("Location")));
        }
        return new ProtocolStatus(status == 404 ? ProtocolStatus.NOTFOUND : ProtocolStatus.EXCEPTION, url);
    }
}
