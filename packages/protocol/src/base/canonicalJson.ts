import canonicalize from 'canonicalize'

/**
 * Serializes a value as canonical JSON (RFC 8785), the input of hashes and signatures. Throws a `TypeError` for a value that
 * JSON cannot represent.
 *
 * @example
 * ```ts
 * canonicalizeJson({ b: 1, a: 2 }) // '{"a":2,"b":1}'
 * ```
 */
export function canonicalizeJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined)
    throw new TypeError('The value is not JSON. Pass only objects, arrays, strings, numbers, booleans and null.')
  return text
}
