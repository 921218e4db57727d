import { InvalidAmountError, parseAmount, tokens } from '@svc/protocol'
import * as z from 'zod/mini'
import type { Field } from './field.ts'
import type { Io } from './io.ts'
import { PrepareError, sentence } from './prepareError.ts'
import { createReadFile, type ReadFile } from './readFile.ts'

/** Options as they were given, by flag without its dashes. */
export type Given = Readonly<Record<string, string>>

/**
 * The input of a command as JSON, from `--input` and the arguments, which win. Every value is judged by the schema of its field,
 * so that what is wrong is told by its name. Refuses unknown fields and two ways of saying one amount.
 */
export async function readFields(
  fields: readonly Field[],
  given: Given,
  input: Io['input'],
): Promise<Record<string, unknown>> {
  refuseTwoReaders(fields, given)
  const readFile = createReadFile(input)
  const whole = given.input === undefined ? {} : await readObject(readFile, given.input)
  const foreign = Object.keys(whole).find((name) => !fields.some((field) => field.name === name))
  if (foreign !== undefined) {
    const names = fields.map(({ name }) => name).join(', ') || 'none'
    throw new PrepareError('usage', `--input has a field that there is not: ${foreign.slice(0, 60)}.`, {
      hint: `The fields are: ${names}.`,
    })
  }
  const entries: [string, unknown][] = []
  for (const field of fields) {
    const value = (await readField(field, given, readFile)) ?? whole[field.name]
    if (value !== undefined) entries.push([field.name, judged(field, value)])
  }
  return Object.fromEntries(entries)
}

/** Refuses an input that lacks what nothing else answers. */
export function requireFields(fields: readonly Field[], input: Readonly<Record<string, unknown>>): void {
  const missing = fields.filter(({ name, otherwise }) => otherwise === undefined && input[name] === undefined)
  if (missing.length === 0) return
  const flags = missing.map(({ flag, unitFlag }) => (unitFlag ? `--${flag} (or --${unitFlag})` : `--${flag}`))
  throw new PrepareError('usage', `Missing: ${flags.join(', ')}.`, {
    hint: missing.map(({ flag, words }) => `--${flag}: ${words}`).join('; '),
  })
}

/** The standard input can be read once. */
function refuseTwoReaders(fields: readonly Field[], given: Given): void {
  const files = fields.filter(({ form }) => form.kind === 'json' || form.kind === 'prose').map(({ flag }) => flag)
  const [one, two] = ['input', ...files].filter((flag) => given[flag] === '-')
  if (two === undefined) return
  throw new PrepareError('usage', `--${one} and --${two} both want the standard input: only one can be -.`)
}

async function readField(field: Field, given: Given, readFile: ReadFile): Promise<unknown> {
  const { flag, unitFlag, form } = field
  const text = given[flag]
  const units = unitFlag === undefined ? undefined : given[unitFlag]
  if (text !== undefined && units !== undefined) {
    throw new PrepareError('usage', `--${flag} and --${unitFlag} say the same amount twice: give one of them.`)
  }
  if (units !== undefined) return units
  if (text === undefined) return undefined
  switch (form.kind) {
    case 'amount':
      return amountOf(field, form.token, text, given)
    case 'whole':
      if (!/^\d{1,15}$/.test(text)) {
        throw new PrepareError('usage', `--${flag} ${shown(text)} is not a whole number.`, { hint: 'Write it like 3.' })
      }
      return Number(text)
    case 'json':
      return parseJson(await readFile(text, `--${flag}`), `--${flag}`)
    case 'prose':
      return readFile(text, `--${flag}`)
    default:
      return text
  }
}

/** An amount as people write it; the symbol is asked for, so that nobody mistakes wei for tokens. */
function amountOf({ flag, unitFlag }: Field, token: 'tok' | 'usdc' | 'either', text: string, given: Given): string {
  const [, symbol] = /(TOK|USDC)\s*$/i.exec(text) ?? []
  if (!symbol) {
    throw new PrepareError('usage', `--${flag} ${shown(text)} does not say its unit.`, {
      hint: `Write it like 12.5TOK or 25USDC; --${unitFlag} takes the smallest unit.`,
    })
  }
  const named = symbol.toLowerCase() as 'tok' | 'usdc'
  const asked = token === 'either' ? (given['pay-with'] ?? named) : token
  if (named !== asked) {
    throw new PrepareError(
      'usage',
      `--${flag} is in ${tokens[asked as 'tok' | 'usdc']?.symbol ?? asked}, not in ${tokens[named].symbol}.`,
    )
  }
  try {
    return String(parseAmount(text, named))
  } catch (error) {
    if (error instanceof InvalidAmountError) throw new PrepareError('usage', `--${flag}: ${error.message}`)
    throw error
  }
}

function judged({ flag, form, schema }: Field, value: unknown): unknown {
  const { success, error } = z.safeDecode(schema, value as never)
  if (success) return value
  const issue = nearest(error.issues)
  const place = issue?.path.length ? ` at ${issue.path.join('.')}` : ''
  const words = form.kind === 'choice' ? `none of ${form.choices.join(', ')}` : (issue?.message ?? 'cannot be read')
  const text = typeof value === 'string' ? ` ${shown(value)}` : ''
  throw new PrepareError('usage', sentence(`--${flag}${text}${place}: ${words}`), {
    hint: 'Look at the help of this command: --help.',
  })
}

/** The first issue; of several forms, that of the one which is missed by least. */
function nearest([issue]: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  if (issue?.code !== 'invalid_union') return issue
  const [closest] = issue.errors.toSorted((a, b) => a.length - b.length)
  return closest?.[0] ?? issue
}

async function readObject(readFile: ReadFile, file: string): Promise<Record<string, unknown>> {
  const json = parseJson(await readFile(file, '--input'), '--input')
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Record<string, unknown>
  throw new PrepareError('usage', '--input is not a JSON object.', { hint: 'Write {"field": value, …}.' })
}

function parseJson(text: string, flag: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new PrepareError('usage', `${flag} is not JSON.`, { hint: 'Check the file with a JSON reader.' })
  }
}

/** A value in a message: strangers may have written it, at any length. */
const shown = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
