import { operations, ServiceError } from '@svc/operations'
import { buildStorageReceiptTypedData, formatTaskId } from '@svc/protocol'
import { computeBundleSize } from '@svc/protocol/internal/work'
import { type Descriptor, listParts, workLimits } from '@svc/protocol/work'
import { implementCalls } from '@svc/serve'
import type { Hex } from 'viem'
import { assertMayWrite, findBundle, isReader, notAllowed, readRoles } from '../access.ts'
import type { StoreDeps } from '../deps.ts'
import { findMissingParts } from '../heldParts.ts'
import { mayRead, type TaskFacts } from '../taskAccess.ts'

const implement = implementCalls<StoreDeps>()

export const listMissingParts = implement(operations.listMissingParts)(async ({ id, parts }, deps, { headers }) => {
  await assertMayWrite(deps, id, await deps.sessions.require(headers))
  const asked = [...new Set(parts)].map((sha256) => ({ sha256 }))
  return { missing: await findMissingParts(deps, id, asked) }
})

export const listBundles = implement(operations.listBundles)(async ({ id }, deps, { headers }) => {
  const wallet = await deps.sessions.find(headers)
  const rows = await deps.bundles.list(id)
  const isSealed = rows.some(({ isPublic }) => !isPublic)
  const mayList = isSealed && wallet !== null && (await isReader(deps, id, wallet))
  return { bundles: rows.filter(({ isPublic }) => isPublic || mayList) }
})

export const issueStorageReceipt = implement(operations.issueStorageReceipt)(async ({ hash }, deps, { headers }) => {
  const wallet = await deps.sessions.require(headers)
  const { descriptor } = await findBundle(deps, hash, headers)
  const { taskId, milestone, revision, author } = descriptor
  const { facts, roles } = await readRoles(deps, taskId, wallet)
  if (!mayRead(roles)) throw notAllowed(taskId, wallet, 'ask for a receipt of')
  const reason = findRefusal(descriptor, facts, deps) ?? (await findGrantRefusal(hash, descriptor, facts, deps))
  if (reason) throw new ServiceError('RECEIPT_REFUSED', reason)
  const missing = await findMissingParts(deps, taskId, listParts(descriptor))
  if (missing.length > 0) throw createMissingError(missing)

  const size = BigInt(computeBundleSize(descriptor))
  // What a running task needs is deleted no earlier than this: the same time after its end.
  const until = BigInt(facts.now + workLimits.retention)
  const message = {
    taskId: taskId.number,
    milestone: BigInt(milestone),
    revision: BigInt(revision),
    worker: author,
    proofHash: hash,
    size,
    until,
  }
  const signature = await deps.signer.signTypedData(
    buildStorageReceiptTypedData(deps.signingContext(taskId.market), message),
  )
  return {
    receipt: { size: String(size), until: String(until), signature },
    taskId: formatTaskId(taskId),
    milestone,
    revision,
    worker: author,
    proofHash: hash,
  }
})

/** Says why the chain does not want a receipt of this store for a bundle; null if it does. */
function findRefusal(
  { kind, author, milestone, revision }: Descriptor,
  { task, taskId }: TaskFacts,
  { signer }: StoreDeps,
): string | null {
  const name = formatTaskId(taskId)
  if (kind !== 'delivery') return `Only a delivery gets a receipt; this is a bundle of kind ${kind}.`
  if (task.store !== signer.address) return `The terms of ${name} do not name this store.`
  if (task.state !== 'ACTIVE') return `${name} is not active.`
  if (author !== task.worker) return `${author} is not the worker of ${name}.`
  if (milestone !== task.current || revision !== task.revisions) {
    return `${name} is at milestone ${task.current}, revision ${task.revisions}; the bundle is for ${milestone}, ${revision}.`
  }
  return null
}

/**
 * Says why the poster could not read a bundle; null if a grant is for a key that the poster has stated. A grant that its author
 * made later counts too: work that was sealed while the store was down may lack the one of the poster.
 */
async function findGrantRefusal(
  hash: Hex,
  { recipient, grants, author }: Descriptor,
  { task: { poster } }: TaskFacts,
  deps: StoreDeps,
): Promise<string | null> {
  if (recipient === null) return null
  const keys = new Set((await deps.statements.listUsable(poster)).map(({ readingKey }) => readingKey))
  if (keys.size === 0)
    return `The store has no key statement of the poster ${poster}. Bring it with PUT /v1/statements.`
  const later = (await deps.grants.list(hash, poster)).filter((grant) => grant.author === author)
  const granted = [...grants.filter(({ reader }) => reader === poster), ...later]
  return granted.some(({ key }) => keys.has(key))
    ? null
    : `No grant of the bundle is for a current key statement of the poster ${poster}.`
}

/** The parts of a bundle must be sent first. */
export const createMissingError = (missing: readonly string[]) =>
  new ServiceError('PARTS_MISSING', `The store does not hold ${missing.length} of the bundle's parts.`, {
    missing: missing.slice(0, 1_000),
  })
