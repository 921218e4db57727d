import canonicalize from 'canonicalize'

/** The one spelling of a JSON value (RFC 8785): what hashes and signatures are made over. Refuses what JSON cannot say. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('Only JSON values have a canonical form.')
  return text
}
