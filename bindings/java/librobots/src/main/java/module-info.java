/** What a robots.txt lets a crawler fetch. The native library is inside the jar. */
module io.github.librobots {
    requires transitive java.net.http;

    exports io.github.librobots;
    exports io.github.librobots.http;
}
