import com.google.search.robotstxt.Matcher;
import com.google.search.robotstxt.RobotsParseHandler;
import com.google.search.robotstxt.RobotsParser;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.LogManager;

/** The adapter for Google's matcher in Java. */
public final class GoogleAdapter {
    private GoogleAdapter() {}

    public static void main(String[] args) throws IOException {
        LogManager.getLogManager().reset(); // It logs each line that it does not know.
        Fields.serve("google/robotstxt-java " + args[0], GoogleAdapter::answer);
    }

    private static String answer(Fields it) {
        boolean isGoogle = it.text("dialect").equals("google");
        String url = isGoogle ? "url" : "url_encoded"; // as the matcher in C++ asks; `google` was recorded with the URL as it is
        List<String> agents = new ArrayList<>();
        it.all("agent").forEach(agent -> agents.add(new String(agent, StandardCharsets.UTF_8)));
        // The rules for several agents are merged.
        String option = agents.size() > 1 ? "merge_tokens:1" : "";
        if (!it.text("kind").equals("check") || !isGoogle && !it.text("dialect").equals("rfc9309") || !it.isText(url)
                || it.all("option").size() > 1 || !it.text("option").equals(option)) {
            return "unsupported";
        }
        try {
            // Only its own package can call it.
            Method parse = RobotsParser.class.getDeclaredMethod("parse", byte[].class);
            parse.setAccessible(true);
            Matcher matcher = (Matcher) parse.invoke(new RobotsParser(new RobotsParseHandler()), it.bytes("robots"));
            return matcher.allowedByRobots(agents, it.text(url)) ? "allow" : "deny";
        } catch (ReflectiveOperationException e) {
            return "error " + e.getCause();
        }
    }
}
