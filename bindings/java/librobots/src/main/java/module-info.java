/**
 * Parses robots.txt files and decides which URLs a crawler may fetch. The jar contains the native library.
 *
 * <p>Only {@code io.github.librobots.http} needs {@code java.net.http}: a module that uses it requires that module, too.
 */
module io.github.librobots {
    requires static transitive java.net.http;
    requires static org.jspecify;

    exports io.github.librobots;
    exports io.github.librobots.http;
}
