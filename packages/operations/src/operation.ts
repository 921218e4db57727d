import type * as z from 'zod'
import type { ErrorCode } from './errorCodes.ts'

/** A schema of `zod` or of `zod/mini`. */
export type Schema = z.core.$ZodType

export type OperationKind = 'read' | 'call'

/**
 * One operation of an HTTP service. Validation, handlers, documents, tools and clients are derived from it. It runs
 * nothing itself: `packages/reads` and the apps implement operations, and `endpoints.ts` says where each is mounted.
 */
export interface Operation<
  Kind extends OperationKind = OperationKind,
  Input extends Schema = Schema,
  Output extends Schema = Schema,
  Name extends string = string,
> {
  kind: Kind
  /** Its name in every table. */
  name: Name
  summary: string
  /** What a reader must know beyond the summary. */
  description: string
  tag: 'market' | 'wallet' | 'actions' | 'posting' | 'service' | 'work' | 'mail' | 'notifications'
  /** From JSON to values: ids, addresses and cursors are parsed here, once. */
  input: Input
  /** JSON of the body with status 200. */
  output: Output
  /** The errors it answers with. Those of every operation are not repeated. */
  errors?: readonly ErrorCode[]
  /** About how many calls to a provider it takes if it is answered from the chain. Absent if that is never so. */
  chainCost?: number
  /** Largest body in bytes; 64 KiB if absent. */
  maxBody?: number
  /** Request headers it reads, with what they carry. None is required. */
  headers?: HeaderDescriptions
  /** Headers of its responses, by status. */
  responseHeaders?: Readonly<Record<number, HeaderDescriptions>>
  /** Bodies of errors that have more fields than the others, by status. */
  errorBodies?: Readonly<Record<number, Schema>>
  /** Where other fields of the input depend on one field: the whole input for each of its values, and the field `input` in it. */
  cases?: { field: string; values: readonly string[]; describe: (value: string) => { whole: Schema; input: Schema } }
  /** The response with `Accept: text/event-stream`. */
  stream?: { description: string; messages: Readonly<Record<string, Schema>> }
}

type HeaderDescriptions = Readonly<Record<string, string>>

/** Makes every field that `Output` does not have an error. Only the top level: tests parse whole bodies. */
export type Surplus<Body, Output> = { [K in Exclude<keyof Body, keyof Output>]: never }

type Description<Input extends Schema, Output extends Schema> = Omit<
  Operation<never, Input, Output, never>,
  'kind' | 'name'
>

/** Every read can be answered from the chain. */
type ReadDescription<Input extends Schema, Output extends Schema> = Description<Input, Output> & { chainCost: number }

/** Describes a read of one market: cacheable and true at one block. Its output has `meta`, which the server fills in. */
export function defineRead<const Name extends string, Input extends Schema, Output extends Schema>(
  name: Name,
  operation: ReadDescription<Input, Output>,
): Operation<'read', Input, Output, Name> & { chainCost: number } {
  return { kind: 'read', name, ...operation }
}

/** Describes any other operation. Calls are never cached. */
export function defineCall<const Name extends string, Input extends Schema, Output extends Schema>(
  name: Name,
  operation: Description<Input, Output>,
): Operation<'call', Input, Output, Name> {
  return { kind: 'call', name, ...operation }
}
