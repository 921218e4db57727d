import { InvalidAmountError, parseAmount, tokens } from '@svc/protocol'
import { explainIssue } from '@svc/protocol/internal/base'
import * as z from 'zod/mini'
import type { Field } from './field.ts'
import type { Io } from './io.ts'
import { PrepareError, toSentence } from './prepareError.ts'
import { createFileReader, type ReadFile } from './readFile.ts'

/** The options by flag, without dashes. */
export type Given = Readonly<Record<string, string>>

/**
 * Reads the input of a command as JSON from `--input` and the arguments, which take precedence. Every value is validated by the
 * schema of its field, so that errors name the argument. Throws for unknown fields and for an amount that is given twice.
 */
export async function readFields(
  fields: readonly Field[],
  given: Given,
  input: Io['input'],
): Promise<Record<string, unknown>> {
  assertOneReader(fields, given)
  const readFile = createFileReader(input)
  const whole = given.input === undefined ? {} : await readObject(readFile, given.input)
  const unknown = Object.keys(whole).find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined) {
    const names = fields.map(({ name }) => name).join(', ') || 'none'
    throw new PrepareError('usage', `--input has an unknown field: ${unknown.slice(0, 60)}.`, {
      hint: `The fields are: ${names}.`,
    })
  }
  const entries: [string, unknown][] = []
  for (const field of fields) {
    const value = (await readField(field, given, readFile)) ?? whole[field.name]
    if (value !== undefined) entries.push([field.name, validateField(field, value)])
  }
  return Object.fromEntries(entries)
}

/** Throws if a required input is missing. */
export function requireFields(fields: readonly Field[], input: Readonly<Record<string, unknown>>): void {
  const missing = fields.filter(({ name, otherwise }) => otherwise === undefined && input[name] === undefined)
  if (missing.length === 0) return
  const flags = missing.map(({ flag, unitFlag }) => (unitFlag ? `--${flag} (or --${unitFlag})` : `--${flag}`))
  throw new PrepareError('usage', `Missing: ${flags.join(', ')}.`, {
    hint: missing.map(({ flag, description }) => `--${flag}: ${description}`).join('; '),
  })
}

/** Throws if two options read the standard input, which can be read only once. */
function assertOneReader(fields: readonly Field[], given: Given): void {
  const files = fields.filter(({ form }) => form.kind === 'json' || form.kind === 'prose').map(({ flag }) => flag)
  const [one, two] = ['input', ...files].filter((flag) => given[flag] === '-')
  if (two === undefined) return
  throw new PrepareError('usage', `--${one} and --${two} both read the standard input. Only one of them can be -.`)
}

async function readField(field: Field, given: Given, readFile: ReadFile): Promise<unknown> {
  const { flag, unitFlag, form } = field
  const text = given[flag]
  const units = unitFlag === undefined ? undefined : given[unitFlag]
  if (text !== undefined && units !== undefined) {
    throw new PrepareError('usage', `--${flag} and --${unitFlag} set the same amount twice. Pass only one of them.`)
  }
  if (units !== undefined) return units
  if (text === undefined) return undefined
  switch (form.kind) {
    case 'amount':
      return parseAmountFlag(field, form.token, text, given)
    case 'whole':
      if (!/^\d{1,15}$/.test(text)) {
        throw new PrepareError('usage', `--${flag} ${quoteValue(text)} is not a whole number.`, {
          hint: 'Write it like 3.',
        })
      }
      return Number(text)
    case 'boolean':
      if (text !== 'true' && text !== 'false') {
        throw new PrepareError('usage', `--${flag} ${quoteValue(text)} must be true or false.`)
      }
      return text === 'true'
    case 'json':
      return parseJson(await readFile(text, `--${flag}`), `--${flag}`)
    case 'prose':
      return readFile(text, `--${flag}`)
    default:
      return text
  }
}

/** Parses an amount as people write it. The symbol is required, so that nobody confuses wei with tokens. */
function parseAmountFlag(
  { flag, unitFlag }: Field,
  token: 'tok' | 'usdc' | 'either',
  text: string,
  given: Given,
): string {
  const [, symbol] = /(TOK|USDC)\s*$/i.exec(text) ?? []
  if (!symbol) {
    throw new PrepareError('usage', `--${flag} ${quoteValue(text)} has no unit.`, {
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

function validateField({ flag, form, schema }: Field, value: unknown): unknown {
  const { success, error } = z.safeParse(schema, value, { error: explainIssue })
  if (success) return value
  const issue = nearest(error.issues)
  const place = issue?.path.length ? ` at ${issue.path.join('.')}` : ''
  const problem =
    form.kind === 'choice' ? `must be one of ${form.choices.join(', ')}` : (issue?.message ?? 'invalid value')
  const text = typeof value === 'string' ? ` ${quoteValue(value)}` : ''
  throw new PrepareError('usage', toSentence(`--${flag}${text}${place}: ${problem}`), {
    hint: 'See --help of this command.',
  })
}

/** Returns the first issue. For a union, the first issue of the closest option. */
function nearest([issue]: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  if (issue?.code !== 'invalid_union') return issue
  const [closest] = issue.errors.toSorted((a, b) => a.length - b.length)
  return closest?.[0] ?? issue
}

async function readObject(readFile: ReadFile, file: string): Promise<Record<string, unknown>> {
  const json = parseJson(await readFile(file, '--input'), '--input')
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { ...json }
  throw new PrepareError('usage', '--input is not a JSON object.', { hint: 'Write {"field": value, …}.' })
}

function parseJson(text: string, flag: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new PrepareError('usage', `${flag} is not JSON.`, { hint: 'Check the file with a JSON reader.' })
  }
}

/** Quotes a value in a message. It can be untrusted and of any length. */
const quoteValue = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
