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

/** The code of a status of the C API. A time that the library refuses is an argument; an unknown status is a defect. */
export function codeOf(status: number): ErrorCode {
    const code = (ErrorCodes as Record<number, ErrorCode>)[status];
    return code === "time" ? "argument" : (code ?? "panic");
}
