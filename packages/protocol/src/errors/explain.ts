import { type AbiItem, decodeErrorResult, type Hex, parseAbiItem, toFunctionSelector } from 'viem'
import { formatTaskId } from '../taskId.ts'
import type { ErrorContext } from './declared.ts'
import { words } from './words.ts'

/** A contract's refusal in words. */
export interface ExplainedError {
  /** The error as the contract declares it, or `Unknown`. */
  name: string
  /** Its arguments as they came, by name. */
  args: Record<string, unknown>
  /** What is wrong, in one sentence. */
  message: string
  /** What to do now. */
  wayOut: string
}

/** Says revert data in words. Refuses nothing: what no contract of ours can have answered is `Unknown`. */
export function explainError(data: Hex, context: ErrorContext = {}): ExplainedError {
  const refusal = decode(data)
  if (!refusal) return unknown(data)
  const { name, args, sentences } = refusal
  const shown = 'taskId' in args ? { ...args, taskId: taskName(args.taskId as bigint, context) } : args
  const [message, wayOut] = sentences.map((say) => (typeof say === 'string' ? say : say(shown, context)))
  return { name, args, message: `${message}`.replace(/^task/, 'Task'), wayOut: `${wayOut}` }
}

type Sentence = string | ((args: Record<string, unknown>, context: ErrorContext) => string)

type ErrorItem = Extract<AbiItem, { type: 'error' }>

function decode(data: Hex) {
  const signature = signatureOf(data.slice(0, 10))
  if (!signature) return null
  const item = parseAbiItem(`error ${signature}` as string) as ErrorItem
  try {
    const { args = [] } = decodeErrorResult({ abi: [item], data })
    const named = item.inputs.map(({ name }, index) => [name, args[index]])
    const sentences = words[signature as keyof typeof words] as unknown as readonly Sentence[]
    return { name: item.name, args: Object.fromEntries(named) as Record<string, unknown>, sentences }
  } catch {
    return null
  }
}

// A hash for each of a hundred errors takes milliseconds: once, and only where an error is ever explained.
let signatures: Map<string, string> | undefined

function signatureOf(selector: string): string | undefined {
  signatures ??= new Map(Object.keys(words).map((signature) => [toFunctionSelector(signature), signature]))
  return signatures.get(selector.toLowerCase())
}

function unknown(data: Hex): ExplainedError {
  const selector = data.slice(0, 10)
  const named = selector.length === 10
  return {
    name: 'Unknown',
    args: named ? { selector } : {},
    message: `The contract refused without saying why${named ? ` (selector ${selector})` : ''}.`,
    wayOut: 'Check the address, the chain and the values of the call, then simulate it before sending it again.',
  }
}

function taskName(number: bigint, { market }: ErrorContext): string {
  return market && number > 0n ? formatTaskId({ market, number }) : `task ${number}`
}
