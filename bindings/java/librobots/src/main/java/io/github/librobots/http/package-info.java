/** Fetches robots.txt files with {@code java.net.http}, for a {@link io.github.librobots.RobotsCache}. */
@NullMarked
package io.github.librobots.http;

import org.jspecify.annotations.NullMarked;
