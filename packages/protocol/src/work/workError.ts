import { SvcError } from '../base/svcError.ts'

/** What can be wrong with a bundle, a grant or a key statement. Programs branch on these codes. */
export type WorkErrorCode =
  | 'INVALID_DESCRIPTOR'
  | 'INVALID_MANIFEST'
  | 'INVALID_GRANT'
  | 'INVALID_STATEMENT'
  | 'INVALID_BACKUP'
  | 'BUNDLE_TOO_LARGE'
  /** The bytes are not those that the hash stands for. */
  | 'WRONG_BUNDLE'
  /** The bundle belongs to another chain, registry, task, milestone, revision, author or kind. */
  | 'WRONG_SUBJECT'
  | 'WRONG_PART'
  | 'WRONG_MANIFEST'
  | 'WRONG_FILE'
  /** No grant was made for this reading key. */
  | 'NO_GRANT'
  | 'WRONG_GRANT'
  | 'NOT_DECRYPTED'

/** Thrown for work that fails a check. Nothing of it may be shown. */
export class WorkError extends SvcError<WorkErrorCode> {
  override name = 'WorkError'
}

/** Throws {@link WorkError} unless the condition holds. */
export function assertWork(condition: boolean, code: WorkErrorCode, message: string): asserts condition {
  if (!condition) throw new WorkError(code, message)
}
