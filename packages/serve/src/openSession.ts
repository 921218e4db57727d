import { ServiceError } from '@svc/operations'
import { type VerifySignature, verifyKeySignature } from '@svc/protocol/negotiation'
import { type CheckedStatement, checkStatement, type SignedStatement, WorkError, workLimits } from '@svc/protocol/work'
import { type Address, type Hex, hashMessage } from 'viem'
import type { Client } from './clientNetworks.ts'
import type { Sessions } from './sessions.ts'
import type { Statements } from './statements.ts'
import type { WalletRoom } from './walletRoom.ts'

/** What a service needs to open sessions with key statements. */
export interface SignInDeps {
  sessions: Sessions
  statements: Statements
  room: WalletRoom
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
  proof: { issuedAt: number; nonce?: string | undefined; signature: Hex }
}

/**
 * Opens a session. A key statement is public, so it alone opens none: the device key that it names signs `buildProof`, which must
 * name this service, so that a proof for one service opens no session at another.
 */
export async function openSession(
  deps: SignInDeps,
  { message, signature, proof }: SignIn,
  client: Client,
  buildProof: (statement: CheckedStatement, proof: { issuedAt: number; nonce?: string | undefined }) => string,
): Promise<{ token: string; expiresAt: number; wallet: Address }> {
  const statement = await check(deps, { message, signature })
  const seconds = Math.floor(deps.now() / 1000)
  if (Math.abs(proof.issuedAt - seconds) > workLimits.clockSkew) {
    throw new ServiceError('INVALID_STATEMENT', 'The proof of the device key is too old, or its clock is wrong.')
  }
  const text = buildProof(statement, proof)
  const isProven = await verifyKeySignature({
    address: statement.deviceKey,
    hash: hashMessage(text),
    signature: proof.signature,
  })
  if (!isProven) throw new ServiceError('INVALID_STATEMENT', `The proof is not signed by ${statement.deviceKey}.`)
  await save(deps, statement, { message, signature }, client, sessionBytes)
  if (!(await deps.sessions.useProof(text, proof.issuedAt + workLimits.clockSkew + 60))) {
    throw new ServiceError('PROOF_USED', 'This proof of the device key has opened a session before.', {
      hint: 'Sign another one, with a nonce of its own.',
    })
  }
  const session = await deps.sessions.open(statement)
  // After the session is there: a revocation that arrives meanwhile either shows here, or ends the session itself.
  const live = await deps.statements.listLive(statement.wallet)
  if (!live.some(({ hash }) => hash === statement.hash)) {
    await deps.sessions.end(statement.wallet, [statement.hash])
    throw new ServiceError('INVALID_STATEMENT', 'The statement was revoked or replaced by newer ones. Sign in again.')
  }
  return { ...session, wallet: statement.wallet }
}

/** About what a session and a statement cost besides their text, in bytes. */
const [sessionBytes, rowBytes] = [250, 200]

/** Checks and stores a statement that anyone brings. */
export async function saveStatement(deps: SignInDeps, signed: SignedStatement, client: Client): Promise<{ hash: Hex }> {
  const statement = await check(deps, signed)
  await save(deps, statement, signed, client, 0)
  return { hash: statement.hash }
}

/** Stores a statement and ends the sessions of those that it revokes: a stolen device key must not read on for a day. */
async function save(
  { statements, sessions, room }: SignInDeps,
  statement: CheckedStatement,
  signed: SignedStatement,
  client: Client,
  more: number,
): Promise<void> {
  const isKnown = await statements.has(statement.hash)
  const bytes = more + (isKnown ? 0 : signed.message.length + signed.signature.length + rowBytes)
  if (bytes > 0) {
    // A wallet without room still revokes what is here.
    const revoked = await Promise.all(statement.revokes.map((hash) => statements.has(hash)))
    await room.take(statement.wallet, client, bytes).catch((error: unknown) => {
      if (!revoked.includes(true)) throw error
    })
  }
  if (!isKnown) await statements.save(statement, signed)
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
