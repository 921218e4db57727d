import * as z from 'zod/mini'
import { canonicalizeJson } from '../base/canonicalJson.ts'
import { explainIssue, formatIssue } from '../base/explainIssue.ts'
import { assertWork, WorkError, type WorkErrorCode } from './workError.ts'

/** A kind of document that is exchanged and hashed as canonical JSON. */
export interface CanonicalDocument<Schema extends z.ZodMiniType> {
  /** Its name in messages. */
  name: string
  schema: Schema
  code: WorkErrorCode
  maxBytes: number
}

/** Parses a document and accepts its canonical bytes only: one value has one form, and therefore one hash. */
export function parseCanonical<Schema extends z.ZodMiniType>(
  { name, schema, code, maxBytes }: CanonicalDocument<Schema>,
  bytes: Uint8Array,
): z.output<Schema> {
  assertWork(bytes.length <= maxBytes, code, `The ${name} has ${bytes.length} bytes, but the limit is ${maxBytes}.`)
  const text = decodeText(bytes)
  const json = text === null ? undefined : parseJson(text)
  if (json === undefined) throw new WorkError(code, `The ${name} is not JSON in UTF-8.`)
  const { success, data, error } = z.safeParse(schema, json, { error: explainIssue })
  if (!success) throw new WorkError(code, formatIssue(error.issues[0], [name]))
  const isCanonical = canonicalizeJson(z.encode(schema, data)) === text
  assertWork(isCanonical, code, `The ${name} is not canonical JSON (RFC 8785).`)
  return data
}

/**
 * Encodes a document as canonical bytes, after the same checks as {@link parseCanonical}. Values with several spellings, such as
 * addresses, are written in one.
 */
export function encodeCanonical<Schema extends z.ZodMiniType>(
  document: CanonicalDocument<Schema>,
  value: z.output<Schema>,
): Uint8Array {
  const { schema, code, name } = document
  const encoded = z.safeEncode(schema, value, { error: explainIssue })
  const { success, data, error } = encoded.success
    ? z.safeParse(schema, encoded.data, { error: explainIssue })
    : encoded
  if (!success) throw new WorkError(code, formatIssue(error.issues[0], [name]))
  const bytes = new TextEncoder().encode(canonicalizeJson(z.encode(schema, data)))
  parseCanonical(document, bytes)
  return bytes
}

function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
