import { getLogs, type RawLog } from '@svc/chain'
import { digestAfter, emptyDigest, marketNumber, schemaOf } from '@svc/index'
import { markets } from '@svc/protocol'
import { marketAbis } from '@svc/protocol/fold'
import { settled } from '../service/replica.ts'
import { demandSame, type Final } from './verdict.ts'

/** Whether the event table, its digest and everybody who followed the stream have the logs of the chain, each once, in order. */
export async function judgeEvents(final: Final): Promise<void> {
  const { chain, provider, sql, followers } = final
  for (const market of markets) {
    const places = chain.deployments.markets[market] as Record<string, `0x${string}`>
    const address = Object.keys(marketAbis).map((name) => places[name] ?? '0x')
    const logs = await getLogs(provider.rpc, { address }, { from: 0n, to: chain.head().number })
    const keys = logs.map(keyOf)
    const rows = await sql<{ key: string }[]>`
      select block || ':' || log_index || ':0x' || encode(tx, 'hex') as key from ${sql(schemaOf('a'))}.event
      where market = ${marketNumber(market)} order by block, log_index`
    demandSame(
      final,
      `the event table of ${market}`,
      rows.map(({ key }) => key),
      keys,
    )
    const [cursor] = await sql<{ digest: string }[]>`
      select '0x' || encode(digest, 'hex') as digest from ${sql(schemaOf('a'))}.cursor where market = ${marketNumber(market)}`
    demandSame(final, `the digest of ${market}`, cursor?.digest, logs.reduce(digestAfter, emptyDigest))
    const follower = followers.find((each) => each.market === market)
    const heard = () =>
      follower?.events().map((event) => `${event.blockNumber}:${event.logIndex}:${event.transactionHash}`) ?? []
    await settled('the stream is at its end', 10_000, async () => heard().at(-1) === keys.at(-1)).catch(() => {})
    demandSame(final, `the stream of ${market}`, heard(), keys)
  }
}

const keyOf = ({ blockNumber, logIndex, transactionHash }: RawLog) => `${blockNumber}:${logIndex}:${transactionHash}`
