export interface SvcErrorOptions {
  /** What the reader can do about it. */
  hint?: string | undefined
  /** Where it is explained: a URL, or a path of the documentation. */
  docs?: string | undefined
  cause?: unknown
}

/**
 * The base of every error of this project. `code` is for programs and never changes its meaning; `message` says what
 * happened, with the value.
 *
 * @example
 * ```ts
 * if (error instanceof SvcError) console.error(error.code, error.message, error.hint ?? '')
 * ```
 */
export class SvcError<Code extends string = string> extends Error {
  override name = 'SvcError'
  readonly code: Code
  readonly hint: string | undefined
  readonly docs: string | undefined

  constructor(code: Code, message: string, { hint, docs, cause }: SvcErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.hint = hint
    this.docs = docs
  }
}
