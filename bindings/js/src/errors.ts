import { ErrorCodes } from "./constants.js";
import type { ErrorCode } from "./constants.js";

/** What failed, with what to do. {@link RobotsError.code} distinguishes the kinds. */
export class RobotsError extends Error {
    override readonly name = "RobotsError";
    /** The kind of failure, such as `"url"` for a text that is no URL. */
    readonly code: ErrorCode;

    constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
        super(message, options);
        this.code = code;
    }
}

/** The code of a status of the C API. An unknown one is a defect. */
export function codeOf(status: number): ErrorCode {
    return (ErrorCodes as Record<number, ErrorCode>)[status] ?? "panic";
}
