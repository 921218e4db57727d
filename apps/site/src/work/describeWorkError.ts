import { ApiError } from '@svc/client'
import { workErrorText as labels } from '../text/workErrors.ts'

/** Why work cannot be shown or sent, in words, and the kind of way out. */
export interface WorkProblem {
  kind:
    | 'signIn'
    | 'locked'
    | 'missing'
    | 'removed'
    | 'unreachable'
    | 'wrong'
    | 'noStore'
    | 'declined'
    | 'full'
    | 'noKey'
    | 'other'
  /** What happened. */
  message: string
  /** What to do. */
  hint: string | null
}

/** Describes an error of fetching, opening or sending work. */
export function describeWorkError(error: unknown): WorkProblem {
  const code = getCode(error)
  const known = code === null ? undefined : kinds[code]
  if (known) return { kind: known, ...labels[known] }
  if (error instanceof ApiError && (error.status === 429 || error.status >= 500)) {
    return { kind: 'unreachable', ...labels.unreachable }
  }
  if (error instanceof TypeError || (error instanceof Error && /^(?:Timeout|Abort)Error$/.test(error.name))) {
    return { kind: 'unreachable', ...labels.unreachable }
  }
  if (!(error instanceof Error)) return { kind: 'other', message: labels.unknown, hint: null }
  const hint = 'hint' in error && typeof error.hint === 'string' ? error.hint : null
  return { kind: 'other', message: error.message, hint }
}

const kinds: Readonly<Record<string, Exclude<WorkProblem['kind'], 'other'>>> = {
  SESSION_REQUIRED: 'signIn',
  NOT_SIGNED_IN: 'signIn',
  NOT_ALLOWED: 'locked',
  NO_GRANT: 'locked',
  BUNDLE_NOT_FOUND: 'missing',
  PART_NOT_FOUND: 'missing',
  BUNDLE_REMOVED: 'removed',
  STORE_UNREACHABLE: 'unreachable',
  WRONG_BUNDLE: 'wrong',
  WRONG_SUBJECT: 'wrong',
  WRONG_PART: 'wrong',
  WRONG_MANIFEST: 'wrong',
  WRONG_FILE: 'wrong',
  WRONG_GRANT: 'wrong',
  NOT_DECRYPTED: 'wrong',
  INVALID_DESCRIPTOR: 'wrong',
  INVALID_MANIFEST: 'wrong',
  WORK_QUOTA_REACHED: 'full',
  STORE_FULL: 'full',
  NO_READING_KEY: 'noKey',
  '4001': 'declined',
}

/** The code of an error of ours, of the store, or of a wallet. */
function getCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return typeof error.code === 'string' || typeof error.code === 'number' ? String(error.code) : null
}
