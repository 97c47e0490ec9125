package io.github.librobots.spark;

import io.github.librobots.Origin;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;
import org.netpreserve.jwarc.HttpResponse;
import org.netpreserve.jwarc.MessageHeaders;
import org.netpreserve.jwarc.WarcResponse;
import org.netpreserve.jwarc.WarcTruncationReason;

/** A capture: a response record of a WARC file as a row of {@link WarcSource}. */
final class Capture {
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
    /** Whether the text is the URL of a robots.txt. */
    static final String ROBOTS_URL = "^[A-Za-z]+://[^/?#]+/robots[.]txt$";

    private Capture() {}

    /** Returns the row of a record; null if it is no HTTP response. */
    static InternalRow row(WarcResponse record, WarcSettings settings) throws IOException {
        if (!record.contentType().base().toString().equals("application/http")) {
            return null;
        }
        String url = record.target().replaceFirst("^<(.*)>$", "$1"); // some writers add the brackets of the grammar
        HttpResponse http;
        try {
            http = record.http();
        } catch (IOException e) {
            return row(url, record.date(), 0, null, map(Map.of()), new byte[0], "OTHER_FAILURE");
        }
        MessageHeaders headers = http.headers();
        int most = settings.maxBytes + 1; // one byte more, so that the parser sees that the file is longer
        byte[] body = new byte[0];
        String failure = null;
        try {
            byte[] raw = http.body().stream().readNBytes(most);
            String coding = headers.first("Content-Encoding").orElse("identity").trim().toLowerCase(Locale.ROOT);
            boolean isCoded = raw.length > 0 && !coding.equals("identity") && !coding.isEmpty();
            body = isCoded ? decode(coding, raw, most) : raw;
            boolean isWhole = body.length < most;
            if (!isCoded && isWhole && isShort(headers, body.length)) {
                failure = "SHORT_BODY";
            }
            if (isWhole && record.truncated() != WarcTruncationReason.NOT_TRUNCATED) {
                failure = "TRUNCATED";
            }
        } catch (UnsupportedOperationException e) {
            failure = "ENCODED_BODY";
        } catch (IOException e) {
            failure = "TRUNCATED"; // invalid chunks, or an invalid compressed body
        }
        String target = REDIRECTS.contains(http.status()) ? target(url, headers) : null;
        return row(url, record.date(), http.status(), target, map(headers.map()), body, failure);
    }

    private static InternalRow row(String url, Instant date, int status, String target, ArrayBasedMapData headers, byte[] body,
            String failure) {
        long micros = TimeUnit.SECONDS.toMicros(date.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(date.getNano());
        return new GenericInternalRow(new Object[] {UTF8String.fromString(url), origin(url), micros, status,
                UTF8String.fromString(target), headers, body, UTF8String.fromString(failure)});
    }

    /** Returns whether a body has fewer bytes than its header states; a body that is empty is an empty file (SPEC 2.17). */
    private static boolean isShort(MessageHeaders headers, int length) {
        try {
            return length > 0 && headers.first("Content-Length").map(String::trim).map(Long::parseLong).orElse(0L) > length;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static byte[] decode(String coding, byte[] body, int most) throws IOException {
        InputStream coded = new ByteArrayInputStream(body);
        switch (coding) {
            case "gzip":
            case "x-gzip":
                if (body.length < 2 || body[0] != 0x1F || body[1] != (byte) 0x8B) {
                    return body; // the archive undid the coding and kept the header
                }
                return new GZIPInputStream(coded).readNBytes(most);
            case "deflate": // with a zlib header or, as some servers send it, without
                boolean isRaw = body.length < 2 || ((body[0] & 0xFF) << 8 | body[1] & 0xFF) % 31 != 0 || (body[0] & 0x0F) != 8;
                return new InflaterInputStream(coded, new Inflater(isRaw)).readNBytes(most);
            default:
                throw new UnsupportedOperationException(coding);
        }
    }

    /** Returns the key of the site if the URL is that of its robots.txt. */
    private static UTF8String origin(String url) {
        return url.matches(ROBOTS_URL) ? OriginFunction.invoke(UTF8String.fromString(url)) : null;
    }

    /** Returns the absolute URL that a redirect names, without fragment; empty if there is none that can be used. */
    private static String target(String url, MessageHeaders headers) {
        try {
            String location = headers.first("Location").orElse("").trim().replace(" ", "%20").replaceFirst("#.*$", "");
            String target = location.isEmpty() ? "" : URI.create(url).resolve(location).toString();
            return Origin.of(target).key().isEmpty() ? "" : target;
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private static ArrayBasedMapData map(Map<String, List<String>> headers) {
        Map<String, String> joined = new HashMap<>();
        for (Map.Entry<String, List<String>> header : headers.entrySet()) {
            joined.merge(header.getKey().toLowerCase(Locale.ROOT), String.join(", ", header.getValue()), (a, b) -> a + ", " + b);
        }
        Object[] names = joined.keySet().stream().map(UTF8String::fromString).toArray();
        Object[] values = joined.values().stream().map(UTF8String::fromString).toArray();
        return new ArrayBasedMapData(new GenericArrayData(names), new GenericArrayData(values));
    }
}
