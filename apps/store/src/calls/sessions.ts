import { operations } from '@svc/operations'
import { buildSessionProof } from '@svc/protocol/internal/work'
import { implementCalls, openSession, saveStatement } from '@svc/serve'
import type { StoreDeps } from '../deps.ts'

const implement = implementCalls<StoreDeps>()

export const getStore = implement(operations.getStore)(async (_, { signer, chainId, domains, clerk }) => ({
  address: signer.address,
  chainId,
  domains: [...domains],
  clerk,
}))

export const createSession = implement(operations.createSession)((given, deps) =>
  openSession(deps, given, ({ hash }, issuedAt) =>
    buildSessionProof({ store: deps.signer.address, statement: hash, issuedAt }),
  ),
)

export const putStatement = implement(operations.putStatement)((signed, deps) => saveStatement(deps, signed))

export const listStatements = implement(operations.listStatements)(async ({ wallet }, { statements }) => ({
  statements: (await statements.listLive(wallet)).map(({ signed }) => signed),
}))
