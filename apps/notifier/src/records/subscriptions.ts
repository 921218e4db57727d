import { randomBytes } from 'node:crypto'
import { maxSubscriptions, ServiceError } from '@svc/operations'
import type { Database } from '@svc/serve'
import type { Address } from 'viem'
import type { ChannelName } from '../channels/channel.ts'
import type { SendableSubscription } from '../channels/outgoing.ts'

interface SubscriptionRow extends SendableSubscription {
  kinds: readonly string[] | null
  isSecond: boolean
  isVerified: boolean
  gone: string | null
  lastError: string | null
  /** Unix seconds. */
  createdAt: number
}

interface NewSubscription {
  wallet: Address
  channel: ChannelName
  /** Encrypted. */
  target: string
  /** Keyed hashes of the target: with the newest key first. */
  targetKeys: readonly [string, ...string[]]
  /** The keyed hash of an e-mail address without a plus part; null for other channels. */
  addressKey: string | null
  kinds: readonly string[] | null
  isSecond: boolean
  isVerified: boolean
}

export interface Subscriptions {
  list: (wallet: Address) => Promise<readonly SubscriptionRow[]>
  find: (wallet: Address, id: string) => Promise<SubscriptionRow>
  /** Adds a target, or replaces it if the wallet has it. A target that was verified stays so. Throws TOO_MANY_SUBSCRIPTIONS. */
  add: (subscription: NewSubscription) => Promise<{ id: string; isVerified: boolean }>
  /** Throws SUBSCRIPTION_NOT_FOUND, like all that take a wallet and an id. */
  change: (wallet: Address, id: string, change: Pick<NewSubscription, 'kinds' | 'isSecond'>) => Promise<void>
  remove: (wallet: Address, id: string) => Promise<void>
  /** Removes saved searches and the calendar too. Returns how many subscriptions there were. */
  removeAll: (wallet: Address) => Promise<number>
  /** Removes by id alone, for links that carry a token. Returns whether it was there. */
  removeById: (id: string) => Promise<boolean>
  /** Whether the owner of an address wants nothing, by its keyed hashes. */
  isSuppressed: (addressKeys: NewSubscription['targetKeys']) => Promise<boolean>
  /** Sends nothing to an address any more, and removes its subscriptions. Returns how many there were. */
  suppress: (addressKey: string) => Promise<number>
  /** Returns the wallet; null if the subscription was removed. */
  verify: (id: string) => Promise<string | null>
  /** Counts a confirmation e-mail. Returns false if the address, the wallet, its network or all together had too many in a day. */
  countVerification: (wallet: Address, targetKeys: NewSubscription['targetKeys'], network: string) => Promise<boolean>
  /** Returns false if the last test was a moment ago. */
  countTest: (wallet: Address, id: string) => Promise<boolean>
}

const maxMailsPerAddress = 3
const maxMailsPerWallet = 10
const maxMailsPerNetwork = 20
const maxMails = 500

export function createSubscriptions(database: Database): Subscriptions {
  const select = (wallet: Address, id: string | null) =>
    database(
      (sql) => sql<SubscriptionRow[]>`
        select id, wallet, channel, target, to_json(kinds) as kinds, is_second as "isSecond", gone,
          verified_at is not null as "isVerified", last_error as "lastError",
          floor(extract(epoch from created_at))::int as "createdAt"
        from notify.subscription
        where wallet = ${wallet} ${id === null ? sql`` : sql`and id = ${id}`} order by created_at, id`,
    )
  return {
    list: (wallet) => select(wallet, null),
    async find(wallet, id) {
      const [row] = await select(wallet, id)
      if (!row) throw notFound(id)
      return row
    },
    async add({ wallet, channel, target, targetKeys, addressKey, kinds, isSecond, isVerified }) {
      const outcome = await database((sql) =>
        sql.begin(async (transaction) => {
          await transaction`select pg_advisory_xact_lock(hashtextextended(${`svc_notify ${wallet}`}, 0))`
          const [known] = await transaction<{ id: string; isVerified: boolean }[]>`
            update notify.subscription set target = ${target}, target_key = ${targetKeys[0]}, address_key = ${addressKey}, gone = null, last_error = null,
              kinds = ${formatKinds(kinds)}::text[], is_second = ${isSecond}
            where wallet = ${wallet} and channel = ${channel}
              and target_key in (select jsonb_array_elements_text(${JSON.stringify(targetKeys)}::text::jsonb))
            returning id, verified_at is not null as "isVerified"`
          if (known) return known
          const [row] = await transaction<{ count: number }[]>`
            select count(*)::int as count from notify.subscription where wallet = ${wallet}`
          if ((row?.count ?? 0) >= maxSubscriptions) return null
          // Not base64url: an id that begins with a hyphen is an option to a command line.
          const id = randomBytes(16).toString('hex')
          await transaction`
            insert into notify.subscription (id, wallet, channel, target, target_key, address_key, kinds, is_second, verified_at)
            values (${id}, ${wallet}, ${channel}, ${target}, ${targetKeys[0]}, ${addressKey}, ${formatKinds(kinds)}::text[],
              ${isSecond},              case when ${isVerified} then now() end)`
          return { id, isVerified }
        }),
      )
      if (outcome) return outcome
      throw new ServiceError('TOO_MANY_SUBSCRIPTIONS', `A wallet has at most ${maxSubscriptions} subscriptions.`, {
        hint: 'Remove one first.',
      })
    },
    async change(wallet, id, { kinds, isSecond }) {
      const { count } = await database(
        (sql) => sql`
          update notify.subscription set kinds = ${formatKinds(kinds)}::text[], is_second = ${isSecond}
          where wallet = ${wallet} and id = ${id}`,
      )
      if (count === 0) throw notFound(id)
    },
    // What was not sent yet is removed with it: deliveries reference the subscription.
    async remove(wallet, id) {
      const { count } = await database(
        (sql) => sql`delete from notify.subscription where wallet = ${wallet} and id = ${id}`,
      )
      if (count === 0) throw notFound(id)
    },
    async removeAll(wallet) {
      return database((sql) =>
        sql.begin(async (step) => {
          await step`delete from notify.search where wallet = ${wallet}`
          await step`delete from notify.calendar where wallet = ${wallet}`
          const { count } = await step`delete from notify.subscription where wallet = ${wallet}`
          return count
        }),
      )
    },
    async removeById(id) {
      const { count } = await database((sql) => sql`delete from notify.subscription where id = ${id}`)
      return count > 0
    },
    async isSuppressed(addressKeys) {
      const rows = await database(
        (sql) => sql`
          select from notify.suppressed where address_key in (
            select jsonb_array_elements_text(${JSON.stringify(addressKeys)}::text::jsonb))`,
      )
      return rows.length > 0
    },
    async suppress(addressKey) {
      const { count } = await database(
        (sql) => sql`
          with known as (insert into notify.suppressed values (${addressKey}) on conflict do nothing)
          delete from notify.subscription where address_key = ${addressKey} or (channel = 'email' and target_key = ${addressKey})`,
      )
      return count
    },
    async verify(id) {
      const [row] = await database(
        (sql) => sql<{ wallet: string }[]>`
          update notify.subscription set verified_at = coalesce(verified_at, now()) where id = ${id} returning wallet`,
      )
      return row?.wallet ?? null
    },
    countVerification: (wallet, targetKeys, network) =>
      database((sql) =>
        sql.begin(async (transaction) => {
          await transaction`select pg_advisory_xact_lock(hashtextextended('svc_notify verification', 0))`
          await transaction`delete from notify.verification_mail where sent_at < now() - interval '1 day'`
          const { count } = await transaction`
            insert into notify.verification_mail (target_key, wallet, network)
            select ${targetKeys[0]}, ${wallet}, ${network}
            where (select count(*) from notify.verification_mail where target_key in
                (select jsonb_array_elements_text(${JSON.stringify(targetKeys)}::text::jsonb))) < ${maxMailsPerAddress}
              and (select count(*) from notify.verification_mail where wallet = ${wallet}) < ${maxMailsPerWallet}
              and (select count(*) from notify.verification_mail where network = ${network}) < ${maxMailsPerNetwork}
              and (select count(*) from notify.verification_mail) < ${maxMails}`
          return count > 0
        }),
      ),
    async countTest(wallet, id) {
      const { count } = await database(
        (sql) => sql`
          update notify.subscription set tested_at = now()
          where wallet = ${wallet} and id = ${id} and coalesce(tested_at, 'epoch') < now() - interval '10 seconds'`,
      )
      return count > 0
    },
  }
}

/** Kinds have no character that an array literal quotes. */
const formatKinds = (kinds: readonly string[] | null): string | null => (kinds === null ? null : `{${kinds.join(',')}}`)

const notFound = (id: string) => new ServiceError('SUBSCRIPTION_NOT_FOUND', `This wallet has no subscription ${id}.`)
