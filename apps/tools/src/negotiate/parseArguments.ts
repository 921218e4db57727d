import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { address } from '@svc/protocol/internal/base'
import { maxAgreementLength } from '@svc/protocol/internal/negotiation'
import { type Address, type Hex, isHex } from 'viem'
import * as z from 'zod/mini'
import { UsageError } from './describeExit.ts'

/** Returns an argument or option. Throws `UsageError` if it is missing. */
export function requireArgument(text: string | undefined, name = 'An argument'): string {
  if (text === undefined) throw new UsageError(`${name} is missing. See --help.`)
  return text
}

/** Reads a JSON file of bounded size. */
export async function readJsonFile(file: string): Promise<unknown> {
  const text = await readTextFile(file)
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${file} is not JSON.`)
  }
}

/** Reads a text file of bounded size. Throws for invalid UTF-8, because repairing it would hide changes. */
export async function readTextFile(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`Cannot read ${file}: ${error.code}.`)
  })
  try {
    if ((await handle.stat()).size > maxAgreementLength) throw new UsageError(`${file} is larger than 16 MiB.`)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await handle.readFile())
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file} is not a UTF-8 text file.`)
  } finally {
    await handle.close()
  }
}

/** Parses an address argument. */
export function parseAddressArgument(text: string | undefined, name: string): Address {
  const { success, data } = z.safeDecode(address, text ?? '')
  if (!success) throw new UsageError(`${name} is not a valid address: expected 0x and 40 hex digits.`)
  return data
}

/** Parses the argument of `--digest`. */
export function parseDigestArgument(text: string): Hex {
  if (!isHex(text) || text.length !== 66) {
    throw new UsageError('--digest is not valid: expected 0x and 64 hex digits.')
  }
  return text
}

/** Parses a whole number argument within a range. */
export function parseIntegerArgument(text: string, name: string, [min, max]: readonly [number, number]): number {
  const number = Number(text)
  if (!/^[0-9]{1,9}$/.test(text) || number < min || number > max) {
    throw new UsageError(`${name} must be a whole number from ${min} to ${max}.`)
  }
  return number
}

/** Parses an argument that must be one of a list. */
export function parseChoiceArgument<const T extends string>(list: readonly T[], text: string, name: string): T {
  const found = list.find((each) => each === text)
  if (found === undefined) throw new UsageError(`${name} must be one of ${list.join(', ')}.`)
  return found
}
