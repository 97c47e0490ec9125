/** Parses robots.txt files and decides which URLs a crawler may fetch. The jar contains the native library. */
module io.github.librobots {
    requires transitive java.net.http;

    exports io.github.librobots;
    exports io.github.librobots.http;
}
