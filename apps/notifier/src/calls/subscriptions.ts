import { operations, ServiceError } from '@svc/operations'
import { formatAmount, pauseThreshold } from '@svc/protocol'
import { findWidestNetwork, implementCalls } from '@svc/serve'
import { type Address, getAddress } from 'viem'
import type { ChannelName } from '../channels/channel.ts'
import { emailAddress } from '../channels/email.ts'
import { buildTestMessage, type Outgoing, type StoredTargets } from '../channels/outgoing.ts'
import { TargetRefusedError } from '../channels/publicRequest.ts'
import { createWebhookSecret } from '../channels/webhook.ts'
import type { NotifierDeps } from '../deps.ts'

const implement = implementCalls<NotifierDeps>()

/** How long the link of a confirmation e-mail works. */
const verificationSeconds = 24 * 60 * 60
const testMs = 25_000
/** About what a subscription costs besides its target. */
const subscriptionRowBytes = 400

export const listSubscriptions = implement(operations.listSubscriptions)(
  async (_, { sessions, subscriptions, outgoing }, { headers }) => {
    const wallet = await sessions.require(headers)
    const rows = await subscriptions.list(wallet)
    return {
      wallet,
      subscriptions: rows.map((row) => ({
        id: row.id,
        channel: row.channel,
        target: describeTarget(outgoing, row),
        status: row.gone !== null ? 'gone' : row.isVerified ? 'active' : 'unverified',
        kinds: row.kinds === null ? null : [...row.kinds],
        isSecond: row.isSecond,
        problem: row.gone ?? row.lastError,
        createdAt: row.createdAt,
      })),
    }
  },
)

export const addWebhook = implement(operations.addWebhook)(async ({ url, ...choice }, deps, { headers, client }) => {
  const wallet = await deps.sessions.require(headers)
  const { requester } = requireChannel(deps, 'webhook')
  await checkTarget(requester.checkTarget(url, wallet))
  const secret = createWebhookSecret()
  const { id } = await add(deps, { wallet, client }, 'webhook', { url, secret }, url, choice)
  return { id, secret }
})

export const addEmail = implement(operations.addEmail)(
  async ({ address: given, ...choice }, deps, { headers, client }) => {
    const wallet = await deps.sessions.require(headers)
    const { email, tokens, contacts, siteUrl } = requireChannel(deps, 'email')
    const { success, data: address } = emailAddress.safeParse(given.trim())
    if (!success) throw new ServiceError('INVALID_TARGET', 'This is not a valid e-mail address.')
    // The part before the @ is case sensitive in theory only.
    const identity = address.toLowerCase()
    // A stranger's address costs its owner attention, so a wallet must cost its owner something too.
    if (!(await deps.isEstablished(wallet))) {
      throw new ServiceError('DEPOSIT_REQUIRED', 'E-mail is for wallets that the market has known for a day.', {
        hint: `Keep ${formatAmount(pauseThreshold, 'usdc')} in your deposit for 24 hours, or take part in a task. The inbox works at once.`,
      })
    }
    const addressKeys = contacts.hash('email', foldAddress(identity))
    if (await deps.subscriptions.isSuppressed(addressKeys)) {
      throw new ServiceError('INVALID_TARGET', 'The owner of this address does not want e-mails from here.')
    }
    const { id, isVerified } = await add(
      deps,
      { wallet, client },
      'email',
      { address },
      identity,
      choice,
      addressKeys[0],
    )
    if (isVerified) return { id, status: 'active' }
    if (!(await deps.subscriptions.countVerification(wallet, addressKeys, findWidestNetwork(client)))) {
      throw new ServiceError(
        'RATE_LIMITED',
        'Too many confirmation e-mails were sent today to this address, for this wallet or from this network.',
        {
          hint: 'Look for the e-mail in the spam folder, or try again tomorrow.',
        },
      )
    }
    const now = Math.floor(deps.now() / 1_000)
    const token = tokens.create('verify', id, now + verificationSeconds)
    const sent = await email?.sendVerification(address, {
      id: `verify ${id} ${now}`,
      url: `${siteUrl}/settings/notifications?verify=${token}`,
      refuseUrl: `${siteUrl}/notify/v1/refuse/${tokens.create('refuse', addressKeys[0], null)}`,
      wallet,
    })
    if (sent?.result === 'gone') {
      await deps.subscriptions.remove(wallet, id)
      throw new ServiceError('INVALID_TARGET', sent.reason)
    }
    if (sent?.result !== 'sent') {
      throw new ServiceError('CHANNEL_UNREACHABLE', 'The confirmation e-mail could not be sent now.', {
        hint: 'Add the address again in a few minutes.',
      })
    }
    return { id, status: 'unverified' }
  },
)

export const addPush = implement(operations.addPush)(
  async ({ endpoint, keys, ...choice }, deps, { headers, client }) => {
    const wallet = await deps.sessions.require(headers)
    const { requester } = requireChannel(deps, 'push')
    await checkTarget(requester.checkTarget(endpoint, wallet))
    const { id } = await add(deps, { wallet, client }, 'push', { endpoint, keys }, endpoint, choice)
    return { id }
  },
)

export const changeSubscription = implement(operations.changeSubscription)(
  async ({ id, ...choice }, { sessions, subscriptions }, { headers }) => {
    await subscriptions.change(await sessions.require(headers), id, choice)
    return { id }
  },
)

export const removeSubscription = implement(operations.removeSubscription)(
  async ({ id }, { sessions, subscriptions }, { headers }) => {
    await subscriptions.remove(await sessions.require(headers), id)
    return { removed: true }
  },
)

export const removeSubscriptions = implement(operations.removeSubscriptions)(
  async (_, { sessions, subscriptions }, { headers }) => ({
    removed: await subscriptions.removeAll(await sessions.require(headers)),
  }),
)

export const testSubscription = implement(operations.testSubscription)(async ({ id }, deps, { headers }) => {
  const wallet = await deps.sessions.require(headers)
  const found = await deps.subscriptions.find(wallet, id)
  const { send, siteUrl } = requireChannel(deps, found.channel)
  // Whoever owns an address has not agreed yet, so nothing is sent there.
  if (!found.isVerified) return { sent: false, problem: 'The address is not confirmed yet.' }
  if (!(await deps.subscriptions.countTest(wallet, id))) {
    throw new ServiceError('RATE_LIMITED', 'A test was sent a moment ago. Try again in ten seconds.')
  }
  const now = Math.floor(deps.now() / 1_000)
  const result = await send(
    found,
    buildTestMessage(`test-${id}-${now}`, wallet, siteUrl, now),
    AbortSignal.timeout(testMs),
  )
  return result.result === 'sent' ? { sent: true, problem: null } : { sent: false, problem: result.reason }
})

export const verifySubscription = implement(operations.verifySubscription)(
  async ({ token }, { outgoing, subscriptions, now }) => {
    const id = outgoing?.tokens.read('verify', token, Math.floor(now() / 1_000))
    const wallet = id ? await subscriptions.verify(id) : null
    if (!wallet) {
      throw new ServiceError('INVALID_TOKEN', 'This link has expired or is not complete.', {
        hint: 'Add the e-mail address again to get another.',
      })
    }
    return { wallet }
  },
)

export const unsubscribe = implement(operations.unsubscribe)(async ({ token }, { outgoing, subscriptions, now }) => {
  const id = outgoing?.tokens.read('unsubscribe', token, Math.floor(now() / 1_000))
  if (!id) throw new ServiceError('INVALID_TOKEN', 'This link is not complete.')
  return { removed: await subscriptions.removeById(id) }
})

export const refuseEmails = implement(operations.refuseEmails)(async ({ token }, { outgoing, subscriptions, now }) => {
  const addressKey = outgoing?.tokens.read('refuse', token, Math.floor(now() / 1_000))
  if (!addressKey) throw new ServiceError('INVALID_TOKEN', 'This link is not complete.')
  return { removed: await subscriptions.suppress(addressKey) }
})

/** One mailbox has many addresses with a plus: they count as one. */
const foldAddress = (address: string) => address.replace(/\+[^@]*@/, '@')

interface Choice {
  kinds: readonly string[] | null
  isSecond: boolean
}

/** Encrypts a target and stores it. `identity` is what makes two targets the same. */
async function add<Name extends ChannelName>(
  deps: NotifierDeps,
  { wallet, client }: { wallet: Address; client: string },
  channel: Name,
  target: StoredTargets[Name],
  identity: string,
  choice: Choice,
  addressKey: string | null = null,
): Promise<{ id: string; isVerified: boolean }> {
  const { contacts } = requireChannel(deps, channel)
  const sealed = contacts.encrypt({ wallet: getAddress(wallet), channel }, target)
  await deps.room.take(wallet, client, sealed.length + subscriptionRowBytes)
  return deps.subscriptions.add({
    ...choice,
    wallet,
    channel,
    target: sealed,
    addressKey,
    targetKeys: contacts.hash(channel, identity),
    // The owner of an e-mail address must agree first. A URL and a browser are their own.
    isVerified: channel !== 'email',
  })
}

function requireChannel({ outgoing }: NotifierDeps, channel: ChannelName): Outgoing {
  if (outgoing?.names.includes(channel)) return outgoing
  throw new ServiceError('CHANNEL_NOT_CONFIGURED', `The operator has not set up notifications by ${channel}.`)
}

async function checkTarget(check: Promise<void>): Promise<void> {
  await check.catch((error: unknown) => {
    if (error instanceof ServiceError) throw error
    const reason = error instanceof TargetRefusedError ? error.message : 'The name of the URL does not resolve.'
    throw new ServiceError('INVALID_TARGET', reason, { hint: 'Use an https URL that the public internet can reach.' })
  })
}

/** A target whose key is gone is listed all the same, so that it can be removed. */
function describeTarget(outgoing: Outgoing | null, row: Parameters<Outgoing['describeTarget']>[0]): string {
  try {
    return outgoing?.describeTarget(row) ?? row.channel
  } catch {
    return row.channel
  }
}
