/** Fetches robots.txt files with {@code java.net.http}, for a {@link io.github.librobots.RobotsCache}. */
package io.github.librobots.http;
