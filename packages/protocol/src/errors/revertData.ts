import type { Hex } from 'viem'

/**
 * Extracts the revert data from an error that viem threw. Returns null if the error contains none.
 *
 * @example
 * ```ts
 * const data = await client.call(request).catch(extractRevertData)
 * ```
 */
export function extractRevertData(error: unknown): Hex | null {
  // Bounded, because causes could form a cycle. viem nests five or six.
  for (let depth = 0, at = error; depth < 20 && isObject(at); depth++, at = at.cause) {
    const found = [at.raw, at.data, isObject(at.data) && at.data.data].find(isData)
    if (found) return found
  }
  return null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isData(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value)
}
