import { type Operation, parseInput, type Schema, type Surplus } from '@svc/operations'
import type * as z from 'zod'

/** The client of a call, as far as the service knows it. */
export interface Caller {
  client: string
  /** Aborted when the client disconnects. */
  signal: AbortSignal
  /** The headers of the request. */
  headers: Headers
  /** Sets a header of a successful response. */
  setHeader: (name: string, value: string) => void
}

/** A call that can be made with its input as JSON. Its types were checked where it was implemented. */
export interface CallHandler<Deps, Name extends string = string> {
  operation: Operation<'call', Schema, Schema, Name>
  /** Refuses a request before its body is read. */
  admit: (deps: Deps, caller: Caller) => void
  handle: (given: unknown, deps: Deps, caller: Caller) => Promise<object>
}

/**
 * Binds calls to the code that answers them: `implement(operations.quotePlan)(async (input, deps) => …)`. A body that is
 * not the output of the operation is a type error. Curried, so that the output is known when the function is checked:
 * literals need no `as const`.
 */
export const implementCalls =
  <Deps>() =>
  <Input extends Schema, Output extends Schema, Name extends string>(
    operation: Operation<'call', Input, Output, Name>,
  ) =>
  <Body extends z.input<Output> & object>(
    run: (input: z.output<Input>, deps: Deps, caller: Caller) => Promise<Body & Surplus<Body, z.input<Output>>>,
    admit: CallHandler<Deps>['admit'] = () => {},
  ): CallHandler<Deps, Name> => ({
    operation,
    admit,
    // Parsed here, not by the caller: a call whose input is wrong is never run.
    handle: async (given, deps, caller) => run(parseInput(operation, given), deps, caller),
  })
