import { type AbiItem, decodeErrorResult, type Hex, parseAbiItem, toFunctionSelector } from 'viem'
import { formatTaskId } from '../tasks/taskId.ts'
import { errorMessages } from './errorMessages.ts'
import type { ErrorContext } from './errorTypes.ts'

/** A contract error, explained. */
export interface ExplainedError {
  /** The name of the error in the contract, or `Unknown`. */
  name: string
  /** The decoded arguments, by name. */
  args: Record<string, unknown>
  /** What went wrong, in one sentence. */
  message: string
  /** What to do now. */
  wayOut: string
}

/**
 * Explains revert data. Never throws: data that is not an error of these contracts is explained as `Unknown`.
 *
 * @example
 * ```ts
 * const data = extractRevertData(error)
 * if (data) {
 *   const { message, wayOut } = explainError(data, { market: 'micro' })
 *   console.error(message, wayOut)
 * }
 * ```
 */
export function explainError(data: Hex, context: ErrorContext = {}): ExplainedError {
  const decoded = decode(data)
  if (!decoded) return explainUnknown(data)
  const { name, args, sentences } = decoded
  const shown = 'taskId' in args ? { ...args, taskId: formatTask(args.taskId as bigint, context) } : args
  const [message, wayOut] = sentences.map((each) => (typeof each === 'string' ? each : each(shown, context)))
  return { name, args, message: `${message}`.replace(/^task/, 'Task'), wayOut: `${wayOut}` }
}

/** A sentence, or how to write it. As a method, so that it accepts functions of an error's own arguments. */
type Sentence = string | { write(args: Record<string, unknown>, context: ErrorContext): string }['write']

const messagesBySignature: Readonly<Record<string, readonly Sentence[]>> = errorMessages

type ErrorItem = Extract<AbiItem, { type: 'error' }>

function decode(data: Hex) {
  const signature = findSignature(data.slice(0, 10))
  if (!signature) return null
  const item = parseAbiItem(`error ${signature}` as string) as ErrorItem
  try {
    const { args = [] } = decodeErrorResult({ abi: [item], data })
    const named = item.inputs.map(({ name }, index) => [name, args[index]])
    const sentences = messagesBySignature[signature]
    if (!sentences) return null
    return { name: item.name, args: Object.fromEntries(named) as Record<string, unknown>, sentences }
  } catch {
    return null
  }
}

// Hashing a hundred signatures takes milliseconds, so it happens once, when the first error is explained.
let signatures: Map<string, string> | undefined

function findSignature(selector: string): string | undefined {
  signatures ??= new Map(Object.keys(errorMessages).map((signature) => [toFunctionSelector(signature), signature]))
  return signatures.get(selector.toLowerCase())
}

function explainUnknown(data: Hex): ExplainedError {
  const selector = data.slice(0, 10)
  const named = selector.length === 10
  return {
    name: 'Unknown',
    args: named ? { selector } : {},
    message: `The contract reverted without a known reason${named ? ` (selector ${selector})` : ''}.`,
    wayOut: 'Check the address, the chain and the values of the call, then simulate it before you send it again.',
  }
}

function formatTask(number: bigint, { market }: ErrorContext): string {
  return `task ${market && number > 0n ? formatTaskId({ market, number }) : number}`
}
