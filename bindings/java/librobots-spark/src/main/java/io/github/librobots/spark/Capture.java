package io.github.librobots.spark;

import io.github.librobots.Crawler;
import io.github.librobots.Fetch;
import io.github.librobots.Outcome;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;
import org.netpreserve.jwarc.WarcCaptureRecord;
import org.netpreserve.jwarc.WarcResource;
import org.netpreserve.jwarc.WarcResponse;

/** A capture: a record of a WARC file as a row of {@link WarcSource}, read as the engine reads it (SPEC 11.8). */
final class Capture {
    /** Whether a URL in the form to send is that of a robots.txt. */
    static final String ROBOTS_URL = "^[a-z]+://[^/]+/robots[.]txt$";

    private static final String ANY_URL = "https://example.com/";
    private static final Instant ANY_TIME = Instant.ofEpochSecond(1_800_000_000);
    /** The longest HTTP header. */
    private static final int LONGEST_HEAD = 256 * 1024;
    private static final byte[] FOUND = "HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NO_BODY = {};

    private final WarcSettings settings;
    private final String url;
    private final Instant date;
    private final byte[] message;
    /** The start of the body. */
    private final int start;
    private final Map<String, List<String>> headers = new HashMap<>();
    private boolean isCut;
    private String failure;

    private Capture(WarcCaptureRecord record, WarcSettings settings) throws IOException {
        this.settings = settings;
        url = record.target().replaceFirst("^<(.*)>$", "$1"); // some writers add the brackets of the grammar
        date = record.date();
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        read.write(record instanceof WarcResource ? FOUND : NO_BODY);
        byte[] block = record.body().stream().readNBytes(settings.maxBytes + LONGEST_HEAD);
        read.write(block);
        message = read.toByteArray();
        isCut = record.headers().first("WARC-Truncated").isPresent() || block.length < record.body().size();
        String text = new String(message, StandardCharsets.ISO_8859_1);
        int crlf = text.indexOf("\r\n\r\n");
        int lf = text.indexOf("\n\n");
        boolean isCrlf = crlf >= 0 && (lf < 0 || crlf < lf);
        int end = isCrlf ? crlf : lf >= 0 ? lf : text.length();
        start = Math.min(text.length(), end + (isCrlf ? 4 : 2));
        String[] lines = text.substring(0, end).split("\n");
        for (int i = 1; i < lines.length; i++) {
            String[] header = lines[i].split(":", 2);
            if (header.length == 2) {
                headers.computeIfAbsent(header[0].trim().toLowerCase(Locale.ROOT), name -> new ArrayList<>()).add(header[1].trim());
            }
        }
    }

    /** Returns the row of a record; null if it is neither an HTTP response nor a resource. */
    static InternalRow row(WarcCaptureRecord record, WarcSettings settings) throws IOException {
        boolean isHttp = record.headers().first("Content-Type").map(type -> type.startsWith("application/http")).orElse(true);
        if (!(record instanceof WarcResource) && !(record instanceof WarcResponse && isHttp)) {
            return null;
        }
        return new Capture(record, settings).row();
    }

    private InternalRow row() throws IOException {
        int status = status();
        byte[] body = status == 0 ? NO_BODY : Arrays.copyOfRange(message, start, message.length);
        if (status == 0) {
            failure = "OTHER_FAILURE";
        } else if (status / 100 == 2) {
            body = file(status, body);
        }
        body = body.length > settings.maxBytes + 1 ? Arrays.copyOf(body, settings.maxBytes + 1) : body;
        boolean isRedirect = status / 100 == 3 && status != 304;
        UTF8String form = UrlToSendFunction.invoke(UTF8String.fromString(url));
        boolean isOfSite = form != null && form.toString().matches(ROBOTS_URL);
        long micros = TimeUnit.SECONDS.toMicros(date.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(date.getNano());
        return new GenericInternalRow(new Object[] {UTF8String.fromString(url), isOfSite ? OriginFunction.invoke(form) : null, micros, status,
                isRedirect ? UTF8String.fromString(target()) : null, map(headers), body, UTF8String.fromString(failure)});
    }

    /** Returns the status of the status line; 0 for what is no HTTP response. */
    private int status() {
        String[] line = new String(message, 0, Math.min(message.length, 100), StandardCharsets.ISO_8859_1).split("\n")[0].split(" ");
        boolean isStatus = line[0].startsWith("HTTP/") && line.length > 1 && line[1].trim().matches("[0-9]{1,4}");
        return isStatus ? Integer.parseInt(line[1].trim()) : 0;
    }

    private String first(String name) {
        return headers.getOrDefault(name, List.of("")).get(0);
    }

    /** Returns whether the last coding that the headers state is this one. */
    private boolean hasCoding(String name, String coding) {
        String[] all = String.join(",", headers.getOrDefault(name, List.of())).split(",");
        return all[all.length - 1].trim().equalsIgnoreCase(coding);
    }

    private Crawler crawler() {
        UTF8String options = UTF8String.fromString("max_bytes=" + settings.maxBytes + ",non_global_redirects=1");
        return Crawlers.get(UTF8String.fromString("*"), options);
    }

    /** Returns the file in the body of a success. A fetch judges the body as it judges those of a live server. */
    private byte[] file(int status, byte[] raw) throws IOException {
        byte[] body = hasCoding("transfer-encoding", "chunked") ? joined(raw) : raw;
        byte[] text = hasCoding("content-encoding", "deflate") ? inflated(body) : null;
        byte[] judged = text == null ? body : text;
        try (Fetch fetch = Fetch.begin(ANY_URL, ANY_TIME, crawler())) {
            fetch.status(status, ANY_TIME);
            headers.forEach((name, values) -> {
                if (text == null || !name.equals("content-encoding") && !name.equals("content-length")) {
                    values.forEach(value -> fetch.header(name, value));
                }
            });
            fetch.headersEnd();
            if (fetch.step() == Fetch.Step.BODY) {
                byte[] file = judged;
                if (first("content-encoding").matches("(?i)(x-)?gzip") && judged.length > 2 && judged[0] == 0x1F && judged[1] == (byte) 0x8B) {
                    file = gunzipped(judged);
                }
                // What is past the size limit does not matter.
                isCut &= file == null || file.length <= settings.maxBytes;
                fetch.body(judged, 0, judged.length);
                if (fetch.step() == Fetch.Step.BODY) {
                    fetch.end();
                }
                if (fetch.outcome().kind() != Outcome.Kind.RULES) {
                    failure = isCut ? "TRUNCATED" : fetch.outcome().cause().name();
                } else if (isCut || file == null) {
                    failure = "TRUNCATED";
                }
                return failure == null ? file : NO_BODY;
            }
        }
        return judged;
    }

    /** Joins the chunks of a body, and notes whether the last one is there. A body that the archive stored without is returned as it is. */
    private byte[] joined(byte[] body) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        int at = 0;
        while (true) {
            int end = at;
            while (end < body.length && body[end] != '\n') {
                end++;
            }
            String size = new String(body, at, end - at, StandardCharsets.ISO_8859_1).split(";", 2)[0].trim();
            boolean isFirst = at == 0;
            if (end == body.length || !size.matches("[0-9A-Fa-f]{1,16}")) {
                isCut |= !isFirst;
                return isFirst ? body : joined.toByteArray();
            }
            long length = Long.parseUnsignedLong(size, 16);
            at = end + 1;
            if (length == 0) {
                boolean isFile = isFirst && !new String(body, at, body.length - at, StandardCharsets.ISO_8859_1).isBlank();
                return isFile ? body : joined.toByteArray();
            }
            int there = length < 0 || length > body.length - at ? body.length - at : (int) length;
            joined.write(body, at, there);
            at += there;
            at += at < body.length && body[at] == '\r' ? 1 : 0;
            if (there < length || length < 0 || at >= body.length || body[at] != '\n') {
                isCut = true;
                return joined.toByteArray();
            }
            at++;
        }
    }

    /** Decodes a body of the coding deflate: in the frame of zlib or, as some servers send it, without. Null if it is not exactly one. */
    private byte[] inflated(byte[] body) {
        boolean isFramed = body.length > 1 && ((body[0] & 0xFF) << 8 | body[1] & 0xFF) % 31 == 0 && (body[0] & 0x0F) == 8;
        Inflater inflater = new Inflater(true);
        try {
            int start = isFramed ? 2 : 0;
            inflater.setInput(body, start, body.length - start);
            byte[] text = new byte[settings.maxBytes + 1];
            int length = 0;
            while (length < text.length && !inflater.finished()) {
                int more = inflater.inflate(text, length, text.length - length);
                if (more == 0 && !inflater.finished()) {
                    return null;
                }
                length += more;
            }
            boolean isExact = length == text.length || inflater.getRemaining() == (isFramed ? 4 : 0);
            return isExact ? Arrays.copyOf(text, length) : null;
        } catch (DataFormatException e) {
            return null;
        } finally {
            inflater.end();
        }
    }

    /** Returns the text of a gzip body up to the size limit; null if it is not whole. */
    private byte[] gunzipped(byte[] body) {
        try {
            return new GZIPInputStream(new ByteArrayInputStream(body)).readNBytes(settings.maxBytes + 1);
        } catch (IOException e) {
            return null;
        }
    }

    /** Returns the URL that a redirect leads to, as a fetch that followed one to this URL sees it; empty if there is none that can be used. */
    private String target() {
        try (Fetch fetch = Fetch.begin("https://start.example/", ANY_TIME, crawler())) {
            for (String location : new String[] {url, first("location")}) {
                if (fetch.step() == Fetch.Step.GET) {
                    fetch.status(301, ANY_TIME);
                    fetch.header("Location", location);
                    fetch.headersEnd();
                }
            }
            return fetch.step() == Fetch.Step.GET ? fetch.url() : "";
        }
    }

    private static ArrayBasedMapData map(Map<String, List<String>> headers) {
        Object[] names = headers.keySet().stream().map(UTF8String::fromString).toArray();
        Object[] values = headers.values().stream().map(all -> UTF8String.fromString(String.join(", ", all))).toArray();
        return new ArrayBasedMapData(new GenericArrayData(names), new GenericArrayData(values));
    }
}
