import type { TaskDetailJson } from '@svc/client'

/** What somebody who looks at a task is to it. */
export type Viewer = 'poster' | 'worker' | 'judge' | 'visitor'

/** Compares addresses, which may be checksummed or not. */
export const isSameAddress = (a: string | null | undefined, b: string | null | undefined): boolean =>
  Boolean(a && b) && a?.toLowerCase() === b?.toLowerCase()

/** Finds the role of a wallet in a task. */
export function findViewer(
  { poster, worker, dispute }: Pick<TaskDetailJson, 'poster' | 'worker' | 'dispute'>,
  address: string | undefined,
): Viewer {
  if (isSameAddress(poster, address)) return 'poster'
  if (isSameAddress(worker, address)) return 'worker'
  return isSameAddress(dispute?.judge, address) ? 'judge' : 'visitor'
}
