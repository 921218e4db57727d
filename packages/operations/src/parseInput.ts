import type { TaskId } from '@svc/protocol'
import { explainIssue, formatIssue } from '@svc/protocol/internal/base'
import * as z from 'zod'
import { type ApiErrorCode, type ErrorCode, isErrorCode } from './errorCodes.ts'
import { ServiceError } from './errors.ts'
import type { Schema } from './operation.ts'
import { readOptions, taskId } from './params.ts'

const codes: Readonly<Record<string, ApiErrorCode>> = {
  market: 'INVALID_MARKET',
  limit: 'INVALID_LIMIT',
  address: 'INVALID_ADDRESS',
  cursor: 'INVALID_CURSOR',
  minBlock: 'INVALID_MIN_BLOCK',
  tier: 'INVALID_TIER',
  payWith: 'INVALID_PAY_WITH',
  txHash: 'INVALID_TX_HASH',
  id: 'INVALID_TASK_ID',
  taskId: 'INVALID_TASK_ID',
}

/** Returns the code of the error that an invalid parameter is refused with. */
export const getParameterErrorCode = (name: string): ApiErrorCode => codes[name] ?? 'INVALID_REQUEST'

/** Parses the input of an operation. Throws a `ServiceError` with the first problem. */
export function parseInput<Input extends Schema>({ input }: { input: Input }, given: unknown): z.output<Input> {
  const { success, data, error } = z.safeParse(input, given, { error: explainIssue })
  if (success) return data
  const unknown = error.issues.find((issue) => issue.code === 'unrecognized_keys')
  if (unknown) throw new ServiceError('INVALID_REQUEST', `Unknown field: ${unknown.keys[0]?.slice(0, 40)}.`)
  throw createInputError(error.issues[0])
}

function createInputError(issue: z.core.$ZodIssue | undefined): ServiceError {
  const name = String(issue?.path[0] ?? '')
  const { hint, code }: Record<string, unknown> = issue?.code === 'custom' ? (issue.params ?? {}) : {}
  const known: ErrorCode = isErrorCode(code) ? code : getParameterErrorCode(name)
  return new ServiceError(known, formatIssue(issue), typeof hint === 'string' ? { hint } : {})
}

/** How a read is answered: from which block on, and from where. */
export type ReadOptions = z.output<z.ZodObject<typeof readOptions>>

const optionsInput = { input: z.object(readOptions) }

/** Parses the options that every read over HTTP takes beside its input. */
export const parseReadOptions = (given: unknown): ReadOptions => parseInput(optionsInput, given)

const withTaskId = { input: z.object({ taskId }) }

/** Parses a task id that is part of a larger input. Throws INVALID_TASK_ID. */
export const parseTaskIdField = (text: unknown): TaskId => parseInput(withTaskId, { taskId: text }).taskId
