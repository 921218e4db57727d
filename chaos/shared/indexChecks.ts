import { createIndexReader, emptyDigest, extendDigest, type IndexReader, marketNumber } from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { marketAbis } from '@svc/protocol/fold'
import type { SimBlock, Simulation } from '@svc/simulation/chain'
import type { Sql } from 'postgres'
import { canonicalJson, findMismatch } from './findMismatch.ts'

/** Reads the index of a simulated chain, which has no prices. */
export function openSimIndex(sql: Sql): IndexReader {
  const noPrice = () => Promise.reject(new Error('Prices are not simulated.'))
  return createIndexReader(sql, { getPlanQuote: noPrice, getTokPrice: noPrice })
}

/** Finds gaps or lost rows in an index, at any time. One statement, so that it sees one moment. */
export async function findInconsistency(sql: Sql, schema: string): Promise<string | null> {
  const rows = await sql<{ market: number; gaps: string; last: boolean; lost: string; above: string }[]>`
    select c.market,
      (select count(*) from (select number - lag(number) over (order by number) as step
        from ${sql(schema)}.header where market = c.market) steps where step <> 1) as gaps,
      (select hash = c.hash and digest = c.digest and events = c.events
        from ${sql(schema)}.header where market = c.market order by number desc limit 1) as last,
      c.events - (select count(*) from ${sql(schema)}.event where market = c.market) as lost,
      (select count(*) from ${sql(schema)}.event where market = c.market and block > c.number) as above
    from ${sql(schema)}.cursor c`
  const torn = rows.find(({ gaps, last, lost, above }) => gaps !== '0' || !last || lost !== '0' || above !== '0')
  return torn ? `Market ${torn.market} is inconsistent: ${canonicalJson(torn)}` : null
}

/** Waits until both markets have reached the head of a chain that has stopped. */
export async function waitForIndexHead(
  sql: Sql,
  schema: string,
  { hash }: Pick<SimBlock, 'hash'>,
  ms = 20_000,
): Promise<void> {
  const end = Date.now() + ms
  for (;;) {
    const rows = await sql<{ hash: Buffer }[]>`select hash from ${sql(schema)}.cursor`
    if (rows.length === markets.length && rows.every((row) => `0x${row.hash.toString('hex')}` === hash)) return
    if (Date.now() > end) throw new Error(`The index did not reach block ${hash} in ${ms} ms.`)
    await new Promise((done) => setTimeout(done, 10))
  }
}

/** Compares an index that is at the head with the chain (logs and headers) and with the simulation (rows). */
export async function findWrongIndex(sql: Sql, schema: string, simulation: Simulation): Promise<string | null> {
  const reader = openSimIndex(sql)
  for (const market of markets) {
    const wrong =
      (await findWrongLog(sql, schema, simulation, market)) ?? (await findWrongHeader(sql, schema, simulation, market))
    if (wrong) return wrong
    const found = await findMismatch(simulation, reader, market)
    if (!found) return `The ${market} market moved while it was compared.`
    if (found.mismatch) return canonicalJson(found.mismatch)
  }
  return null
}

async function findWrongLog(
  sql: Sql,
  schema: string,
  { chain, places }: Simulation,
  market: Market,
): Promise<string | null> {
  const addresses = new Set(Object.keys(marketAbis).map((name) => contractAddress(places, market, name)))
  let digest = emptyDigest
  const keys: string[] = []
  for (const block of chain.blocks) {
    for (const log of block.logs.filter(({ address }) => addresses.has(address.toLowerCase()))) {
      digest = extendDigest(digest, { ...log, blockNumber: BigInt(block.number) })
      keys.push(`${block.number}:${log.logIndex}`)
    }
  }
  const rows = await sql<{ key: string }[]>`
    select block || ':' || log_index as key from ${sql(schema)}.event where market = ${marketNumber(market)}
    order by block, log_index`
  const at = keys.findIndex((key, index) => key !== rows[index]?.key)
  if (at >= 0 || rows.length !== keys.length)
    return `${market}: event ${at} is ${rows[at]?.key}, not ${keys[at]}; ${rows.length} of ${keys.length}`
  const [cursor] = await sql<{ digest: string }[]>`
    select encode(digest, 'hex') as digest from ${sql(schema)}.cursor where market = ${marketNumber(market)}`
  return `0x${cursor?.digest}` === digest ? null : `${market}: the digest is ${cursor?.digest}, not ${digest}`
}

async function findWrongHeader(
  sql: Sql,
  schema: string,
  { chain }: Simulation,
  market: Market,
): Promise<string | null> {
  const rows = await sql<{ number: string; hash: string }[]>`
    select number, encode(hash, 'hex') as hash from ${sql(schema)}.header where market = ${marketNumber(market)}`
  const wrong = rows.find(({ number, hash }) => chain.blockAt(Number(number))?.hash !== `0x${hash}`)
  return wrong ? `${market}: header ${wrong.number} is not the chain's` : null
}

function contractAddress(places: Simulation['places'], market: Market, name: string): string {
  return (places.markets[market] as Record<string, string>)[name]?.toLowerCase() ?? ''
}
