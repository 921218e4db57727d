import type { Scene } from '@svc/devnet'
import { decodeLog, type RawLog } from '../../packages/protocol/src/fold/decodeLog.ts'
import {
  type ContractName,
  compareEvents,
  type MarketEvent,
  marketAbis,
} from '../../packages/protocol/src/fold/event.ts'

/** A log and the contract that emitted it. */
export interface NamedLog {
  contract: ContractName
  log: RawLog
}

/** Fetches every log of a market's contracts since genesis, in order. */
export async function fetchNamedLogs({ client, contracts }: Scene): Promise<NamedLog[]> {
  const names = Object.keys(marketAbis) as ContractName[]
  const emitters = new Map(names.map((name) => [contracts[name].toLowerCase(), name]))
  const logs = await client.getLogs({ address: names.map((name) => contracts[name]), fromBlock: 0n })
  const numbers = [...new Set(logs.map(({ blockNumber }) => blockNumber))]
  const blocks = await Promise.all(numbers.map((blockNumber) => client.getBlock({ blockNumber })))
  const times = new Map(blocks.map(({ number, timestamp }) => [number, Number(timestamp)]))
  return logs
    .map(({ address, topics, data, blockNumber, logIndex, transactionHash }): NamedLog => {
      const contract = emitters.get(address.toLowerCase())
      const timestamp = times.get(blockNumber)
      if (!contract || timestamp === undefined)
        throw new Error(`Got a log of ${address}, which is not a contract of the market.`)
      const block = { number: Number(blockNumber), timestamp }
      return { contract, log: { topics, data, block, logIndex, transactionHash } }
    })
    .sort((a, b) => compareEvents(a.log, b.log))
}

/** Decodes logs to events. Throws for a log that is not an event of its contract. */
export function decodeEvents(logs: readonly NamedLog[]): MarketEvent[] {
  return logs.map(({ contract, log }) => {
    const event = decodeLog(contract, log)
    if (!event) throw new Error(`${contract} emitted an event that its ABI does not have: ${log.topics[0]}`)
    return event
  })
}
