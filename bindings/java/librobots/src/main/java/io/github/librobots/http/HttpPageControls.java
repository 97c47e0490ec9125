package io.github.librobots.http;

import io.github.librobots.Crawler;
import io.github.librobots.PageControls;
import java.net.http.HttpHeaders;

/** Page controls of the responses of {@code java.net.http}. */
public final class HttpPageControls {
    private HttpPageControls() {}

    /**
     * Reads the headers of a response.
     *
     * @param crawler the crawler that the rules are read for
     * @param headers the headers of the response
     * @return the controls, as from {@link PageControls#of}
     * @throws IllegalStateException if the crawler is closed
     */
    public static PageControls of(Crawler crawler, HttpHeaders headers) {
        return PageControls.of(crawler, headers.map());
    }
}
