import { ServiceError } from '@svc/operations'
import type { Sql } from 'postgres'
import { type Address, getAddress } from 'viem'
import { type Client, findWidestNetwork } from './clientNetworks.ts'
import type { Database } from './database.ts'
import type { SchemaName } from './schemas.ts'

/** What wallets may store in the database of a service, in bytes. */
export interface RoomLimits {
  /** One wallet that is established. */
  established: number
  /** One that is not, all of one network, and all together. */
  newcomer: number
  network: number
  newcomers: number
}

export const roomLimits: RoomLimits = {
  established: 100_000_000,
  newcomer: 1_000_000,
  network: 50_000_000,
  newcomers: 5_000_000_000,
}

/** What a wallet that is not established stored is removed after this many days in which it stored nothing. */
const newcomerDays = 30
/** Every wallet counts at least this much: a row costs more than its bytes. */
const baseBytes = 2_048
/** Wallets that are looked at when there is no room, and in one sweep. */
const [looked, swept] = [32, 500]

interface WalletRoomOptions {
  /** The schema of the service; it has the tables `room` and `room_total`, and the functions `measure_room` and `empty_room`. */
  schema: SchemaName
  /** Null if the index cannot say it now: then a deposit counts, and nothing is removed. */
  isEstablished: (wallet: Address) => Promise<boolean | null>
  /** Whether a wallet has a deposit now. */
  hasDeposit: (wallet: Address) => Promise<boolean>
  limits?: RoomLimits
}

/** The room that wallets have in the database of a service. */
export interface WalletRoom {
  /** Counts bytes before they are stored. Throws WORK_QUOTA_REACHED. */
  take: (wallet: Address, client: Client, bytes: number) => Promise<void>
  /** Counts again, and removes what has expired. Returns the bytes of all wallets that are not established. */
  sweep: () => Promise<number>
}

/**
 * Bounds what wallets that cost nothing can store: each of them, a network, and all together. None of that limits an established wallet,
 * which has a bound of its own. Without room, a newcomer with a deposit takes the place of those of a network that have none.
 */
export function createWalletRoom(database: Database, options: WalletRoomOptions): WalletRoom {
  const { schema, isEstablished, hasDeposit, limits = roomLimits } = options
  const [table, totals] = [`${schema}.room`, `${schema}.room_total`]

  const take = async (
    wallet: Address,
    network: Client,
    bytes: number,
    established: boolean,
  ): Promise<Shortage | null> => {
    const own = established ? limits.established : limits.newcomer
    // The rows of the totals are locked, so that newcomers who write at once do not exceed them together.
    const rows = await database(
      (sql) => sql`
        with total as (select bytes from ${sql(totals)} where network = '' and not ${established} for update),
          of_network as (select bytes from ${sql(totals)} where network = ${network} and not ${established} for update),
          known as (select bytes from ${sql(table)} where wallet = ${wallet})
        insert into ${sql(table)} as r (wallet, network, established, bytes)
        select ${wallet}, ${network}, ${established}, ${baseBytes + bytes}
        where coalesce((select bytes from known), ${baseBytes}) + ${bytes} <= ${own}
          and coalesce((select bytes from total), 0) + ${baseBytes + bytes} <= ${limits.newcomers}
          and coalesce((select bytes from of_network), 0) + ${baseBytes + bytes} <= ${limits.network}
        on conflict (wallet) do update set bytes = r.bytes + ${bytes}, established = excluded.established, used_at = now(),
          network = case when r.established and not excluded.established then excluded.network else r.network end
        returning wallet`,
    )
    return rows.length > 0 ? null : findShortage(wallet, network, bytes, own)
  }

  const findShortage = async (wallet: Address, network: Client, bytes: number, own: number): Promise<Shortage> => {
    const [row] = await database(
      (sql) => sql<{ own: string | null; network: string }[]>`
        select (select bytes from ${sql(table)} where wallet = ${wallet}) as own,
          coalesce((select bytes from ${sql(totals)} where network = ${network}), 0) as network`,
    )
    if (Number(row?.own ?? baseBytes) + bytes > own) return 'wallet'
    return Number(row?.network ?? 0) + baseBytes + bytes > limits.network ? 'network' : 'all'
  }

  /** Counts a wallet again: what it has removed since does not count. Returns false if that was done a minute ago. */
  const measure = async (wallet: Address): Promise<boolean> => {
    const { count } = await database(
      (sql) => sql`
        update ${sql(table)} set checked_at = now(), bytes = ${baseBytes} + ${sql(schema)}.measure_room(wallet)
        where wallet = ${wallet} and coalesce(checked_at, 'epoch') < now() - interval '1 minute'`,
    )
    return count > 0
  }

  /** Removes what wallets without a deposit store, those first that were here longest, from the network or from the one that stores most. */
  const makeRoom = async (wallet: Address, network: Client, bytes: number, why: Shortage): Promise<boolean> => {
    const found = await database(
      (sql) => sql<{ wallet: string; bytes: string }[]>`
        update ${sql(table)} r set looked_at = now() from (
          select wallet from ${sql(table)} where not established and wallet <> ${wallet} and network = ${
            why === 'network'
              ? sql`${network}`
              : sql`(select network from ${sql(totals)} where network <> '' order by bytes desc limit 1)`
          } order by looked_at limit ${looked}) oldest
        where r.wallet = oldest.wallet returning r.wallet, r.bytes`,
    )
    const deposits = await Promise.all(found.map((each) => hasDeposit(getAddress(each.wallet))))
    let freed = 0
    for (const [index, each] of found.entries()) {
      if (deposits[index] || freed >= bytes) continue
      await database((sql) => empty(sql, each.wallet))
      freed += Number(each.bytes)
    }
    return freed >= bytes
  }

  const empty = (sql: Sql, wallet: string) =>
    sql.begin(async (step) => {
      await step`select ${step(schema)}.empty_room(${wallet})`
      await step`update ${step(table)} set bytes = ${step(schema)}.measure_room(wallet) where wallet = ${wallet}`
      await step`delete from ${step(table)} where wallet = ${wallet} and bytes = 0`
    })

  return {
    async take(wallet, client, bytes) {
      const network = findWidestNetwork(client)
      const established = (await isEstablished(wallet)) ?? (await hasDeposit(wallet))
      let why = await take(wallet, network, bytes, established)
      if (why === 'wallet' && (await measure(wallet))) why = await take(wallet, network, bytes, established)
      if (why === null) return
      const isPoor = established || why === 'wallet' || !(await hasDeposit(wallet))
      if (isPoor || !(await makeRoom(wallet, network, bytes, why))) throw createRoomError(why, established, limits)
      why = await take(wallet, network, bytes, established)
      if (why) throw createRoomError(why, established, limits)
    },
    async sweep() {
      const due = await database(
        (sql) => sql<{ wallet: string; unused: boolean }[]>`
          select wallet, used_at < now() - ${newcomerDays} * interval '1 day' as unused from ${sql(table)}
          where coalesce(checked_at, 'epoch') < now() - interval '1 hour' order by checked_at nulls first limit ${swept}`,
      )
      for (const { wallet, unused } of due) {
        const established = await isEstablished(getAddress(wallet))
        if (established === null) break
        await database(async (sql) => {
          await sql`
            update ${sql(table)} set established = ${established}, checked_at = now(),
              bytes = ${baseBytes} + ${sql(schema)}.measure_room(wallet) where wallet = ${wallet}`
          if (unused && !established) await empty(sql, wallet)
        })
      }
      const [total] = await database(
        (sql) => sql<{ bytes: string }[]>`select bytes from ${sql(totals)} where network = ''`,
      )
      return Number(total?.bytes ?? 0)
    },
  }
}

type Shortage = 'wallet' | 'network' | 'all'

function createRoomError(why: Shortage, established: boolean, limits: RoomLimits): ServiceError {
  const messages = {
    wallet: `A wallet stores at most ${established ? limits.established : limits.newcomer} bytes here.`,
    network: 'Wallets of your network that are not established have used up their room here.',
    all: 'Wallets that are not established have used up their room here.',
  }
  return new ServiceError('WORK_QUOTA_REACHED', messages[why], {
    hint: established
      ? 'Delete what you do not need any more.'
      : 'Put a deposit above the pause threshold: it takes the place of those who have none. After 24 hours the wallet is established.',
  })
}
