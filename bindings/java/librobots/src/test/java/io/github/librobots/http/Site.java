package io.github.librobots.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server on the loopback address with responses set by a test. It records the requests. */
final class Site implements AutoCloseable {
    /** The requested paths. */
    final List<String> requests = Collections.synchronizedList(new ArrayList<>());

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile HttpHandler answer;

    Site() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            requests.add(exchange.getRequestURI().toString());
            try {
                answer.handle(exchange);
            } finally {
                exchange.close();
            }
        });
        server.start();
    }

    /** Sets the handler of all requests. */
    Site answers(HttpHandler handler) {
        answer = handler;
        return this;
    }

    /** Sets the response to all requests: a status, a body and pairs of header name and value. */
    Site answers(int status, String body, String... headers) {
        return answers(exchange -> send(exchange, status, body.getBytes(StandardCharsets.UTF_8), headers));
    }

    static void send(HttpExchange exchange, int status, byte[] body, String... headers) throws IOException {
        for (int i = 0; i < headers.length; i += 2) {
            exchange.getResponseHeaders().add(headers[i], headers[i + 1]);
        }
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    /** Returns a URL of the site. */
    String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
