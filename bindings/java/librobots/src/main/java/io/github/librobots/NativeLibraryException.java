package io.github.librobots;

import org.jspecify.annotations.Nullable;

/**
 * The native library cannot be loaded. The message is one sentence: why, and what to do. Each use of the package throws it again, so it
 * can be caught at any of them.
 */
public final class NativeLibraryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NativeLibraryException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
