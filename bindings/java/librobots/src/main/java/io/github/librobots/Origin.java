package io.github.librobots;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The origin of a URL: scheme, host and port (SPEC 1). Immutable. */
public final class Origin implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The length of almost every text. */
    private static final int ROOM = 128;

    private static final byte[] ROBOTS_TXT = "/robots.txt".getBytes(StandardCharsets.US_ASCII);

    /** The key of the site. */
    private final String key;

    /** For a serializer. */
    private Origin() {
        this("");
    }

    private Origin(String key) {
        this.key = key;
    }

    /**
     * Returns the origin of a URL.
     *
     * @param url an absolute URL
     * @return the origin
     * @throws IllegalArgumentException if the scheme is not http, https or ftp (SPEC 1.6), the URL is not absolute, or its host is
     *     not valid
     */
    public static Origin of(CharSequence url) {
        return new Origin(keyFromUrl(url));
    }

    /**
     * Returns the key of the origin of a URL, without an {@code Origin}: for a column of a table.
     *
     * @param url an absolute URL
     * @return the key, as from {@link #key}
     * @throws IllegalArgumentException as {@link #of} does
     */
    public static String keyFromUrl(CharSequence url) {
        byte[] bytes = Rules.utf8(url);
        return new String(written(Native::originKey, bytes, 0, bytes.length, true), StandardCharsets.US_ASCII);
    }

    /**
     * Returns the key of the origin of a URL that is a part of an array, for a column of a table.
     *
     * @param array the array
     * @param offset the offset of the URL
     * @param length its length in bytes
     * @return the key as ASCII bytes; null if {@link #of} would throw
     * @throws IndexOutOfBoundsException if the part is not inside the array
     */
    public static byte @Nullable [] findKey(byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        return written(Native::originKey, array, offset, length, false);
    }

    /**
     * Returns the URL of the robots.txt that governs a URL that is a part of an array, for a column of a table.
     *
     * @param array the array
     * @param offset the offset of the URL
     * @param length its length in bytes
     * @return the URL as ASCII bytes; null if {@link #of} would throw
     * @throws IndexOutOfBoundsException if the part is not inside the array
     */
    public static byte @Nullable [] findRobotsUrl(byte[] array, int offset, int length) {
        byte[] key = findKey(array, offset, length);
        if (key == null) {
            return null;
        }
        byte[] url = Arrays.copyOf(key, key.length + ROBOTS_TXT.length);
        System.arraycopy(ROBOTS_TXT, 0, url, key.length, ROBOTS_TXT.length);
        return url;
    }

    /** A function that writes a text about a URL to an array, and returns its length. */
    private interface Writer {
        int write(byte[] url, int start, int length, byte[] to);
    }

    /** Returns what a function writes; null for a URL without an origin, or an exception if {@code throwing}. */
    private static byte @Nullable [] written(Writer writer, byte[] array, int offset, int length, boolean throwing) {
        Library.require();
        byte[] text = new byte[ROOM];
        int found = writer.write(array, offset, length, text);
        if (found > text.length) {
            text = new byte[found];
            found = writer.write(array, offset, length, text);
        }
        if (!throwing && (found == -Status.URL.ordinal() || found == -Status.SCHEME.ordinal())) {
            return null;
        }
        return Arrays.copyOf(text, (int) Status.handle(found));
    }

    /**
     * Returns the form of a URL to be checked and then sent: every client sends it as it is, so that what is judged is what is sent
     * (SPEC 8.11). It has no user name, password, empty query and fragment. If the URL is allowed, so is its form.
     *
     * @param url an absolute URL
     * @return the form, which {@link java.net.URI#create} accepts
     * @throws IllegalArgumentException as {@link #of} does, and for a path and query of more than 64 KiB in that form
     */
    public static String urlToSend(CharSequence url) {
        byte[] bytes = Rules.utf8(url);
        return new String(written(Native::urlToSend, bytes, 0, bytes.length, true), StandardCharsets.US_ASCII);
    }

    /**
     * Returns the canonical form of the origin: scheme and host in lower case, the host in punycode, and the port unless it is
     * the default port of the scheme (SPEC 1.3, 1.4).
     *
     * @return the key, such as {@code https://example.com} or {@code http://[::1]:8080}
     */
    public String key() {
        return key;
    }

    /**
     * Returns the URL of the robots.txt of this origin (SPEC 1.1).
     *
     * @return the URL
     */
    public String robotsUrl() {
        return key + "/robots.txt";
    }

    /**
     * Returns whether the robots.txt of this origin governs a URL: whether the URL has the same origin (SPEC 1.2).
     *
     * @param url any text
     * @return true if the URL has this origin; false for text that is not an absolute URL
     */
    public boolean governs(CharSequence url) {
        byte[] bytes = Rules.utf8(url);
        byte[] found = findKey(bytes, 0, bytes.length);
        return found != null && key.equals(new String(found, StandardCharsets.US_ASCII));
    }

    /** Returns whether the other object is an origin with the same key. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Origin && ((Origin) other).key.equals(key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    /** Returns the key. */
    @Override
    public String toString() {
        return key;
    }
}
