import { getLogs, type RawLog } from '@svc/chain'
import { emptyDigest, extendDigest, getSchemaName, marketNumber } from '@svc/index'
import { markets } from '@svc/protocol'
import { marketAbis } from '@svc/protocol/fold'
import { waitUntil } from '../shared/replica.ts'
import { findServingBuild } from './describeIndex.ts'
import { expectSame, type FinalState } from './finalState.ts'

/** Checks that the event table, its digest and every stream have the logs of the chain, each once and in order. */
export async function checkEvents(final: FinalState): Promise<void> {
  const { chain, provider, sql, followers } = final
  const schema = getSchemaName(await findServingBuild(sql))
  for (const market of markets) {
    const places = chain.deployments.markets[market] as Record<string, `0x${string}`>
    const address = Object.keys(marketAbis).map((name) => places[name] ?? '0x')
    const logs = await getLogs(provider.rpc, { address }, { from: 0n, to: chain.head().number })
    const keys = logs.map(logKey)
    const rows = await sql<{ key: string }[]>`
      select block || ':' || log_index || ':0x' || encode(tx, 'hex') as key from ${sql(schema)}.event
      where market = ${marketNumber(market)} order by block, log_index`
    expectSame(
      final,
      `the event table of ${market}`,
      rows.map(({ key }) => key),
      keys,
    )
    const [cursor] = await sql<{ digest: string }[]>`
      select '0x' || encode(digest, 'hex') as digest from ${sql(schema)}.cursor where market = ${marketNumber(market)}`
    expectSame(final, `the digest of ${market}`, cursor?.digest, logs.reduce(extendDigest, emptyDigest))
    const follower = followers.find((each) => each.market === market)
    const received = () =>
      follower?.events().map((event) => `${event.blockNumber}:${event.logIndex}:${event.transactionHash}`) ?? []
    await waitUntil('the stream is at its end', 10_000, async () => received().at(-1) === keys.at(-1)).catch(() => {})
    expectSame(final, `the stream of ${market}`, received(), keys)
  }
}

const logKey = ({ blockNumber, logIndex, transactionHash }: RawLog) => `${blockNumber}:${logIndex}:${transactionHash}`
