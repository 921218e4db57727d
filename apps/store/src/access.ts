import { ServiceError } from '@svc/operations'
import { formatTaskId, type TaskId } from '@svc/protocol'
import { type Descriptor, hashDescriptor, parseDescriptor } from '@svc/protocol/work'
import type { Address, Hex } from 'viem'
import type { StoreDeps } from './deps.ts'
import { createRemovedError } from './records/removals.ts'
import { listRoles, mayRead, mayWrite, type Role, type TaskFacts } from './taskAccess.ts'

/**
 * Returns a task as the chain stands now or did a few seconds ago. Throws NOT_ALLOWED unless a wallet may write to it.
 */
export async function assertMayWrite({ tasks, clerk }: StoreDeps, taskId: TaskId, wallet: Address): Promise<TaskFacts> {
  const allows = (facts: TaskFacts) => mayWrite(facts, listRoles(facts, wallet, clerk))
  const facts = await tasks.readRecentTask(taskId, allows)
  if (!allows(facts)) throw notAllowed(taskId, wallet, 'write to')
  return facts
}

/** Throws NOT_ALLOWED unless a wallet may read the encrypted work of a task. */
export async function assertMayRead(deps: StoreDeps, taskId: TaskId, wallet: Address): Promise<void> {
  if (!(await isReader(deps, taskId, wallet))) throw notAllowed(taskId, wallet, 'read work of')
}

/** Whether a wallet may read the encrypted work of a task. */
export async function isReader({ tasks, clerk }: StoreDeps, taskId: TaskId, wallet: Address): Promise<boolean> {
  const allows = (facts: TaskFacts) => mayRead(listRoles(facts, wallet, clerk))
  return allows(await tasks.readRecentTask(taskId, allows))
}

/** Reads a task from the newest block, with the roles of a wallet in it. */
export async function readRoles(
  { tasks, clerk }: StoreDeps,
  taskId: TaskId,
  wallet: Address,
): Promise<{ facts: TaskFacts; roles: readonly Role[] }> {
  const facts = await tasks.readTask(taskId)
  return { facts, roles: listRoles(facts, wallet, clerk) }
}

/**
 * Finds a stored bundle. Throws BUNDLE_NOT_FOUND, also for bytes that no longer have their hash; and BUNDLE_REMOVED for senders who
 * could read it if it was still here.
 */
export async function findBundle(
  deps: StoreDeps,
  hash: Hex,
  headers: Headers,
): Promise<{ bytes: Uint8Array; descriptor: Descriptor }> {
  const bytes = await deps.bundles.find(hash)
  const removal = bytes ? null : await deps.removals.find(hash)
  if (removal) {
    if (!removal.isPublic) await assertMayRead(deps, removal.taskId, await deps.sessions.require(headers))
    throw createRemovedError(removal)
  }
  if (!bytes || hashDescriptor(bytes) !== hash) {
    throw new ServiceError('BUNDLE_NOT_FOUND', `The store does not hold the bundle ${hash}.`)
  }
  return { bytes, descriptor: parseDescriptor(bytes) }
}

/** Finds a bundle that the sender of a request may read: anyone a public one, others by their role. */
export async function findReadableBundle(deps: StoreDeps, hash: Hex, headers: Headers) {
  const found = await findBundle(deps, hash, headers)
  const isPublic = found.descriptor.recipient === null
  if (!isPublic) await assertMayRead(deps, found.descriptor.taskId, await deps.sessions.require(headers))
  return { ...found, isPublic }
}

export const notAllowed = (taskId: TaskId, wallet: Address, what: string) =>
  new ServiceError('NOT_ALLOWED', `${wallet} may not ${what} ${formatTaskId(taskId)} now.`, {
    hint: 'Parties of the task may, and its judges during a dispute.',
  })
