import { ServiceError } from '@svc/operations'
import { type VerifySignature, verifyKeySignature } from '@svc/protocol/negotiation'
import { type CheckedStatement, checkStatement, type SignedStatement, WorkError, workLimits } from '@svc/protocol/work'
import { type Address, type Hex, hashMessage } from 'viem'
import type { Sessions } from './sessions.ts'
import type { Statements } from './statements.ts'

/** What a service needs to open sessions with key statements. */
export interface SignInDeps {
  sessions: Sessions
  statements: Statements
  /** The domains whose sign-in messages count. */
  domains: readonly string[]
  chainId: number
  /** Throws CHAIN_UNREACHABLE if only the chain could verify and it cannot be read. */
  verifySignature: VerifySignature
  /** Unix milliseconds. */
  now: () => number
}

/** A statement, and the proof of the device key that it names. */
interface SignIn extends SignedStatement {
  proof: { issuedAt: number; signature: Hex }
}

/**
 * Opens a session. A key statement is public, so it alone opens none: the device key that it names signs `buildProof`, which must
 * name this service, so that a proof for one service opens no session at another.
 */
export async function openSession(
  deps: SignInDeps,
  { message, signature, proof }: SignIn,
  buildProof: (statement: CheckedStatement, issuedAt: number) => string,
): Promise<{ token: string; expiresAt: number; wallet: Address }> {
  const statement = await check(deps, { message, signature })
  const seconds = Math.floor(deps.now() / 1000)
  if (Math.abs(proof.issuedAt - seconds) > workLimits.clockSkew) {
    throw new ServiceError('INVALID_STATEMENT', 'The proof of the device key is too old, or its clock is wrong.')
  }
  const isProven = await verifyKeySignature({
    address: statement.deviceKey,
    hash: hashMessage(buildProof(statement, proof.issuedAt)),
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
}

/** Checks and stores a statement that anyone brings. */
export async function saveStatement(deps: SignInDeps, signed: SignedStatement): Promise<{ hash: Hex }> {
  const statement = await check(deps, signed)
  await save(deps, statement, signed)
  return { hash: statement.hash }
}

/** Stores a statement and ends the sessions of those that it revokes: a stolen device key must not read on for a day. */
async function save(
  { statements, sessions }: SignInDeps,
  statement: CheckedStatement,
  signed: SignedStatement,
): Promise<void> {
  await statements.save(statement, signed)
  await sessions.end(statement.wallet, statement.revokes)
}

async function check(
  { domains, chainId, verifySignature, now }: SignInDeps,
  signed: SignedStatement,
): Promise<CheckedStatement> {
  try {
    return await checkStatement(signed, { domains, chainId, now: Math.floor(now() / 1000), verifySignature })
  } catch (error) {
    if (error instanceof WorkError) throw new ServiceError('INVALID_STATEMENT', error.message)
    throw error
  }
}
