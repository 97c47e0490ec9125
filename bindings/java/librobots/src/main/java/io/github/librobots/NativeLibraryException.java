package io.github.librobots;

/**
 * The native library cannot be loaded. The message is one sentence: why, and what to do. Each use of the package throws it again, so it
 * can be caught at any of them.
 */
public final class NativeLibraryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NativeLibraryException(String message, Throwable cause) {
        super(message, cause);
    }
}
