import { operations } from '@svc/operations'
import { implementCalls } from '@svc/serve'
import { assertMayRead, findBundle } from '../access.ts'
import type { StoreDeps } from '../deps.ts'

const implement = implementCalls<StoreDeps>()

export const putGrant = implement(operations.putGrant)(async (grant, deps, { headers }) => {
  const wallet = await deps.sessions.require(headers)
  const { descriptor } = await findBundle(deps, grant.bundle, headers)
  await assertMayRead(deps, descriptor.taskId, wallet)
  await deps.grants.save(grant, wallet)
  return { bundle: grant.bundle, reader: grant.reader }
})

export const listGrants = implement(operations.listGrants)(async ({ bundle, reader }, deps, { headers }) => {
  const wallet = await deps.sessions.require(headers)
  const { descriptor } = await findBundle(deps, bundle, headers)
  await assertMayRead(deps, descriptor.taskId, wallet)
  const grants = await deps.grants.list(bundle, reader)
  return {
    grants: grants.map(({ key, file }) => ({
      version: 1 as const,
      bundle,
      reader,
      key,
      file: Buffer.from(file).toString('base64'),
    })),
  }
})
