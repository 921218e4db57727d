import { type Address, getAddress, type Hex, hashMessage, isAddress, isAddressEqual } from 'viem'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import * as z from 'zod/mini'
import { formatTime } from '../money/units.ts'
import type { VerifySignature } from '../negotiation/signatures.ts'
import { workLimits } from './limits.ts'
import { keccakHash, readingKey, type SignedStatement } from './wire.ts'
import { assertWork, WorkError } from './workError.ts'

/** What a statement says. Times are unix seconds. */
export interface Statement {
  wallet: Address
  /** The public half of the reading key: bundles are sealed for it. */
  readingKey: string
  /** The address of the key that may sign messages for the wallet. */
  deviceKey: Address
  /** Hashes of older statements of the same wallet that no longer count. */
  revokes: readonly Hex[]
  domain: string
  chainId: number
  /** Fresh per sign-in; a server gives it out. */
  nonce: string
  issuedAt: number
  expiresAt: number
}

/** A statement that was checked, with the hash that names it. */
export interface CheckedStatement extends Statement {
  hash: Hex
}

/** What a reader requires of a statement. */
export interface StatementUse {
  /** The domains whose sign-ins count, from the configuration: `market.example`, or `127.0.0.1:8080`. */
  domains: readonly string[]
  chainId: number
  /** Unix seconds. */
  now: number
  /** The wallet it must be of; any if it is missing. */
  wallet?: Address | undefined
  verifySignature: VerifySignature
}

/** The sentence that a wallet shows above the fields. */
const statementText =
  'Sign in to the task market. This also lets this device read work that is shared with you and sign messages for you. It does not move money.'

/**
 * Builds the sign-in message that a wallet signs with `personal_sign`. Throws {@link WorkError} for a statement that could
 * not be checked later.
 *
 * @example
 * ```ts
 * const message = buildStatementMessage(statement)
 * const signed = { message, signature: await account.signMessage({ message }) }
 * ```
 */
export function buildStatementMessage(statement: Statement): string {
  const message = formatMessage(statement)
  if (message === null)
    throw new WorkError('INVALID_STATEMENT', 'The statement has a wrong domain, nonce, time or key.')
  parseStatementMessage(message)
  return message
}

/**
 * Parses a sign-in message without trusting it. Throws {@link WorkError} for any text that `buildStatementMessage` would not
 * write, so that a statement has one form. Does not check the signature, the domain or the time: see {@link checkStatement}.
 *
 * @example
 * ```ts
 * const { wallet, readingKey, nonce } = parseStatementMessage(message)
 * ```
 */
export function parseStatementMessage(message: string): Statement {
  const fields = parseSiweMessage(message)
  const { address, chainId, domain, nonce, issuedAt, expirationTime, resources = [] } = fields
  if (!address || !chainId || !domain || !nonce || !issuedAt || !expirationTime) {
    throw new WorkError('INVALID_STATEMENT', 'The statement is not a sign-in message (EIP-4361) with an expiry.')
  }
  const statement = {
    wallet: getAddress(address),
    ...parseResources(resources),
    domain,
    chainId,
    nonce,
    issuedAt: issuedAt.getTime() / 1_000,
    expiresAt: expirationTime.getTime() / 1_000,
  }
  const isExact = formatMessage(statement) === message
  assertWork(isExact, 'INVALID_STATEMENT', 'The statement is not in the form that this market signs.')
  return statement
}

/**
 * Hashes a sign-in message as a wallet signs it (EIP-191). The hash names the statement, for example in a revocation.
 *
 * @example
 * ```ts
 * const revokes = [hashStatement(lost.message)]
 * ```
 */
export function hashStatement(message: string): Hex {
  return hashMessage(message)
}

/**
 * Checks a key statement: domain, chain, lifetime and signature. Throws {@link WorkError}. Whether it was revoked depends on
 * the wallet's other statements: see {@link listLiveStatements}.
 *
 * @example
 * ```ts
 * const { readingKey } = await checkStatement(signed, { domains, chainId, now, wallet: poster, verifySignature })
 * ```
 */
export async function checkStatement(signed: SignedStatement, use: StatementUse): Promise<CheckedStatement> {
  const statement = parseStatementMessage(signed.message)
  assertUsable(statement, use)
  const hash = hashStatement(signed.message)
  const isSigned = await use.verifySignature({ address: statement.wallet, hash, signature: signed.signature })
  assertWork(isSigned, 'INVALID_STATEMENT', `The statement was not signed by ${statement.wallet}.`)
  return { ...statement, hash }
}

/**
 * Lists the statements of one wallet that count now, newest first: not expired, not revoked, and among the newest five. A
 * revocation is permanent: it counts even when the statement that made it has expired. Pass checked statements only.
 *
 * @example
 * ```ts
 * const [newest] = listLiveStatements(statements, now)
 * ```
 */
export function listLiveStatements(statements: readonly CheckedStatement[], now: number): CheckedStatement[] {
  return statements
    .filter((each) => isLiveStatement(each, statements, now))
    .sort((a, b) => b.issuedAt - a.issuedAt || (a.hash < b.hash ? -1 : 1))
    .slice(0, workLimits.statements)
}

/** Whether a statement has not expired, and none of the others revokes it. */
export function isLiveStatement(each: CheckedStatement, others: readonly CheckedStatement[], now: number): boolean {
  const isRevoked = others.some(
    ({ wallet, revokes, issuedAt }) =>
      wallet === each.wallet && issuedAt >= each.issuedAt && revokes.includes(each.hash),
  )
  return each.expiresAt > now && !isRevoked
}

function assertUsable(statement: Statement, { domains, chainId, now, wallet }: StatementUse): void {
  const { domain, issuedAt, expiresAt } = statement
  const code = 'INVALID_STATEMENT'
  assertWork(domains.includes(domain), code, `The statement is for ${domain}, not for this market.`)
  assertWork(statement.chainId === chainId, code, `The statement is for chain ${statement.chainId}, not ${chainId}.`)
  assertWork(
    wallet === undefined || isAddressEqual(statement.wallet, wallet),
    code,
    `The statement is of ${statement.wallet}, not of ${wallet}.`,
  )
  const dated = `The statement is dated ${formatTime(issuedAt)}, which is in the future.`
  assertWork(issuedAt <= now + workLimits.clockSkew, code, dated)
  assertWork(expiresAt > now, code, `The statement expired at ${formatTime(expiresAt)}. Sign in again.`)
  assertWork(
    expiresAt - issuedAt <= workLimits.statementLifetime,
    code,
    'The statement is valid for more than 180 days.',
  )
}

/** Returns null if a field cannot be part of a sign-in message. */
function formatMessage(statement: Statement): string | null {
  try {
    return createSiweMessage({
      address: statement.wallet,
      chainId: statement.chainId,
      domain: statement.domain,
      uri: `https://${statement.domain}`,
      version: '1',
      nonce: statement.nonce,
      issuedAt: new Date(statement.issuedAt * 1_000),
      expirationTime: new Date(statement.expiresAt * 1_000),
      statement: statementText,
      resources: listResources(statement),
    })
  } catch {
    return null
  }
}

const prefixes = {
  reading: 'urn:task-market:reading-key:',
  device: 'urn:task-market:device-key:',
  revoke: 'urn:task-market:revoke:',
} as const

function listResources({ readingKey, deviceKey, revokes }: Pick<Statement, 'readingKey' | 'deviceKey' | 'revokes'>) {
  return [prefixes.reading + readingKey, prefixes.device + deviceKey, ...revokes.map((hash) => prefixes.revoke + hash)]
}

function parseResources([reading = '', device = '', ...rest]: readonly string[]) {
  const key = z.safeParse(readingKey, cut(reading, prefixes.reading))
  const deviceKey = cut(device, prefixes.device)
  const revokes = z.safeParse(
    z.array(keccakHash),
    rest.map((each) => cut(each, prefixes.revoke)),
  )
  if (!key.success || deviceKey === null || !isAddress(deviceKey) || !revokes.success) {
    throw new WorkError('INVALID_STATEMENT', 'The statement does not name a reading key and a device key.')
  }
  return { readingKey: key.data, deviceKey: getAddress(deviceKey), revokes: revokes.data }
}

const cut = (text: string, prefix: string) => (text.startsWith(prefix) ? text.slice(prefix.length) : null)
