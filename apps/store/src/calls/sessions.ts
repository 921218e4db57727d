import { operations, ServiceError } from '@svc/operations'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import {
  buildSessionProof,
  type CheckedStatement,
  checkStatement,
  type SignedStatement,
  WorkError,
  workLimits,
} from '@svc/protocol/work'
import { implementCalls } from '@svc/serve'
import { hashMessage } from 'viem'
import type { StoreDeps } from '../deps.ts'

const implement = implementCalls<StoreDeps>()

export const getStore = implement(operations.getStore)(async (_, { signer, chainId, domains, clerk }) => ({
  address: signer.address,
  chainId,
  domains: [...domains],
  clerk,
}))

export const createSession = implement(operations.createSession)(async ({ message, signature, proof }, deps) => {
  const statement = await check(deps, { message, signature })
  const seconds = Math.floor(deps.now() / 1000)
  if (Math.abs(proof.issuedAt - seconds) > workLimits.clockSkew) {
    throw new ServiceError('INVALID_STATEMENT', 'The proof of the device key is too old, or its clock is wrong.')
  }
  const text = buildSessionProof({ store: deps.signer.address, statement: statement.hash, issuedAt: proof.issuedAt })
  const isProven = await verifyKeySignature({
    address: statement.deviceKey,
    hash: hashMessage(text),
    signature: proof.signature,
  })
  if (!isProven) throw new ServiceError('INVALID_STATEMENT', `The proof is not signed by ${statement.deviceKey}.`)
  await save(deps, statement, { message, signature })
  const session = await deps.sessions.open(statement)
  // After the session is there: a revocation that arrives meanwhile either shows here, or ends the session itself.
  const live = await deps.statements.listLive(statement.wallet)
  if (!live.some(({ hash }) => hash === statement.hash)) {
    await deps.sessions.end(statement.wallet, [statement.hash])
    throw new ServiceError('INVALID_STATEMENT', 'The statement was revoked or replaced by newer ones. Sign in again.')
  }
  return { ...session, wallet: statement.wallet }
})

export const putStatement = implement(operations.putStatement)(async (signed, deps) => {
  const statement = await check(deps, signed)
  await save(deps, statement, signed)
  return { hash: statement.hash }
})

export const listStatements = implement(operations.listStatements)(async ({ wallet }, { statements }) => ({
  statements: (await statements.listLive(wallet)).map(({ signed }) => signed),
}))

/** Stores a statement and ends the sessions of those that it revokes: a stolen device key must not read on for a day. */
async function save(
  { statements, sessions }: StoreDeps,
  statement: CheckedStatement,
  signed: SignedStatement,
): Promise<void> {
  await statements.save(statement, signed)
  await sessions.end(statement.wallet, statement.revokes)
}

async function check(
  { domains, chainId, verifySignature, now }: StoreDeps,
  signed: SignedStatement,
): Promise<CheckedStatement> {
  try {
    return await checkStatement(signed, { domains, chainId, now: Math.floor(now() / 1000), verifySignature })
  } catch (error) {
    if (error instanceof WorkError) throw new ServiceError('INVALID_STATEMENT', error.message)
    throw error
  }
}
