// The bare pipeline that the index is compared with: getLogs by range from one provider, decode, COPY into a plain table.
// It handles no reorganisation, checks nothing and folds nothing.
import { once } from 'node:events'
import { type ContractName, decodeLog, marketAbis } from '@svc/protocol/fold'
import postgres from 'postgres'
import type { Hex } from 'viem'
import type { BareOptions } from './backfill.ts'

const { url, database, deployments, head, blocksPerRange } = JSON.parse(process.argv[2] ?? '{}') as BareOptions
const names = Object.keys(marketAbis) as ContractName[]
const contractAt = new Map(
  Object.values(deployments.markets).flatMap((contracts) =>
    names.map((name) => [contracts[name].toLowerCase(), name] as const),
  ),
)
const sql = postgres(database, { max: 1, fetch_types: false, onnotice: () => {} })
await sql`create table bare (block bigint, log_index integer, address text, kind text, args text, tx text, time bigint)`
let events = 0
for (let from = deployments.startBlock; from <= head; from += blocksPerRange) {
  const logs = await getLogs(from, Math.min(from + blocksPerRange - 1, head))
  if (logs.length === 0) continue
  const copy = await sql`copy bare from stdin`.writable()
  copy.end(logs.map(formatRow).join(''))
  await once(copy, 'finish')
  events += logs.length
}
await sql.end()
console.log(events)

interface Log {
  address: Hex
  topics: Hex[]
  data: Hex
  blockNumber: Hex
  blockTimestamp: Hex
  transactionHash: Hex
  logIndex: Hex
}

async function getLogs(from: number, to: number): Promise<Log[]> {
  const filter = { address: [...contractAt.keys()], fromBlock: hex(from), toBlock: hex(to) }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result } = (await response.json()) as { result: Log[] }
  return result
}

function formatRow(log: Log): string {
  const contract = contractAt.get(log.address.toLowerCase())
  const [number, logIndex, timestamp] = [log.blockNumber, log.logIndex, log.blockTimestamp].map(Number)
  if (!contract || number === undefined || logIndex === undefined || timestamp === undefined)
    throw new Error(`Not a log of this market: ${JSON.stringify(log)}`)
  const event = decodeLog(contract, { topics: log.topics, data: log.data, block: { number, timestamp }, logIndex })
  if (!event) throw new Error(`Log ${logIndex} of block ${number} cannot be decoded.`)
  const args = JSON.stringify(event.args, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return `${number}\t${logIndex}\t${log.address}\t${event.kind}\t${args.replaceAll('\\', '\\\\')}\t${log.transactionHash}\t${timestamp}\n`
}

function hex(number: number): Hex {
  return `0x${number.toString(16)}`
}
