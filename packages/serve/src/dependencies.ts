import type { Log } from './log.ts'
import { createLogThrottle } from './throttleLog.ts'

/** Why a dependency cannot be used. Only the kind: an error of a driver may contain a host, a user or a password. */
export type FaultReason =
  | 'connection refused'
  | 'host not found'
  | 'timeout'
  | 'authentication failed'
  | 'unknown database'
  | 'missing tables'
  | 'starting or overloaded'
  | 'failed'

const reasons: Readonly<Record<string, FaultReason>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection refused',
  CONNECTION_CLOSED: 'connection refused',
  ENOENT: 'host not found',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  EHOSTUNREACH: 'host not found',
  ENETUNREACH: 'host not found',
  ETIMEDOUT: 'timeout',
  CONNECT_TIMEOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  // Codes of Postgres.
  '57014': 'timeout',
  '28000': 'authentication failed',
  '28P01': 'authentication failed',
  '42501': 'authentication failed',
  '3D000': 'unknown database',
  '3F000': 'missing tables',
  '42P01': 'missing tables',
  '53300': 'starting or overloaded',
  '57P03': 'starting or overloaded',
}

/** Finds the kind of an error, also of the errors that caused it. */
export function classifyFault(error: unknown, depth = 4): FaultReason {
  if (typeof error !== 'object' || error === null || depth === 0) return 'failed'
  const { code, name, cause, errors } = error as { code?: unknown; name?: unknown; cause?: unknown; errors?: unknown[] }
  const own = reasons[String(code)] ?? (name === 'TimeoutError' ? 'timeout' : undefined)
  if (own) return own
  const inner = [cause, ...(Array.isArray(errors) ? errors : [])].map((each) => classifyFault(each, depth - 1))
  return inner.find((reason) => reason !== 'failed') ?? 'failed'
}

/** What a process needs from others, and why it is missing. */
export interface Dependencies<Name extends string> {
  /** Wraps a function that asks a dependency, to notice when it fails and when it works again. */
  watch: <Args extends unknown[], T>(name: Name, ask: (...args: Args) => Promise<T>) => (...args: Args) => Promise<T>
  /** Why the last question failed; null if it did not. */
  reason: (name: Name) => FaultReason | null
}

const logEveryMs = 60_000

/** Writes one line when a dependency is missing, one each minute while it is, and one when it is back. */
export function createDependencies<Name extends string>(
  log: Pick<Log, 'warn' | 'info'>,
  now: () => number = Date.now,
): Dependencies<Name> {
  const missing = new Map<Name, FaultReason>()
  const throttle = createLogThrottle(logEveryMs, now)
  return {
    watch:
      (name, ask) =>
      async (...args) => {
        try {
          const answer = await ask(...args)
          if (missing.delete(name) && throttle.clear(name)) log.info({ dependency: name }, 'dependency works again')
          return answer
        } catch (error) {
          // The one who asked went away; that says nothing of the dependency.
          if (error instanceof Error && error.name === 'AbortError') throw error
          const reason = classifyFault(error)
          missing.set(name, reason)
          const times = throttle.shouldLog(name)
          if (times !== null) log.warn({ dependency: name, reason, times }, 'dependency is missing')
          throw error
        }
      },
    reason: (name) => missing.get(name) ?? null,
  }
}

/** Whether a dependency answers a ping within this time. The ping is not cancelled. */
export async function answersWithin(ms: number, ping: () => Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, ms, false)
  ping().then(
    () => resolve(true),
    () => resolve(false),
  )
  return promise.finally(() => clearTimeout(timer))
}
