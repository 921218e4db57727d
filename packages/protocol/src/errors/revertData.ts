import type { Hex } from 'viem'

/** The data a contract refused with, from the error that viem threw for the call; null when there is none in it. */
export function revertData(error: unknown): Hex | null {
  // Causes could form a circle; viem nests five or six.
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
