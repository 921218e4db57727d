import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { address as anyAddress } from '@svc/protocol'
import { maxAgreementLength } from '@svc/protocol/negotiation'
import type { Address } from 'viem'
import * as z from 'zod/mini'
import { UsageError } from './exitOf.ts'

/** A command's argument or option that must be there. */
export function given(text: string | undefined, name = 'An argument'): string {
  if (text === undefined) throw new UsageError(`${name} is missing: see --help.`)
  return text
}

/** Reads one's own file of JSON, of a bounded size. */
export async function readJson(file: string): Promise<unknown> {
  const text = await readTextFile(file)
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${file} is not JSON.`)
  }
}

/** Reads a file of text as it is, of a bounded size. Refuses bytes that are no UTF-8: repairing them would hide changes. */
export async function readTextFile(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} cannot be read: ${error.code}.`)
  })
  try {
    if ((await handle.stat()).size > maxAgreementLength) throw new UsageError(`${file} is larger than 16 MiB.`)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await handle.readFile())
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file} is not a file of UTF-8 text.`)
  } finally {
    await handle.close()
  }
}

/** An address that was given as text. */
export function addressOf(text: string | undefined, name: string): Address {
  const { success, data } = z.safeDecode(anyAddress, text ?? '')
  if (!success) throw new UsageError(`${name} is not an address: 0x and 40 hex digits.`)
  return data
}

/** A whole number that was given as text. */
export function integerOf(text: string, name: string, [min, max]: readonly [number, number]): number {
  const number = Number(text)
  if (!/^[0-9]{1,9}$/.test(text) || number < min || number > max) {
    throw new UsageError(`${name} is not a whole number from ${min} to ${max}.`)
  }
  return number
}

/** One of a list that was given as text. */
export function oneOf<const T extends string>(list: readonly T[], text: string, name: string): T {
  const found = list.find((each) => each === text)
  if (found === undefined) throw new UsageError(`${name} is none of ${list.join(', ')}.`)
  return found
}
