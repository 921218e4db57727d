import { operations } from '@svc/operations'
import { buildSessionProof } from '@svc/protocol/internal/work'
import { implementCalls, openSession, sessionCalls } from '@svc/serve'
import type { StoreDeps } from '../deps.ts'

const implement = implementCalls<StoreDeps>()

export const getStore = implement(operations.getStore)(async (_, { signer, chainId, domains, clerk }) => ({
  address: signer.address,
  chainId,
  domains: [...domains],
  clerk,
}))

export const createSession = implement(operations.createSession)((given, deps, { client }) =>
  openSession(deps, given, client, ({ hash }, proof) =>
    buildSessionProof({ store: deps.signer.address, statement: hash, ...proof }),
  ),
)

export const { deleteData, endSession, exportData, putStatement } = sessionCalls

export const listStatements = implement(operations.listStatements)(async ({ wallet }, { statements }) => ({
  statements: (await statements.listLive(wallet)).map(({ signed }) => signed),
}))
