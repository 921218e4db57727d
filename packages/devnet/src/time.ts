import type { DevnetClient } from './client.ts'

/** Returns the time of the last block, in unix seconds. */
export async function getChainTime(client: DevnetClient): Promise<number> {
  return Number((await client.getBlock()).timestamp)
}

/** Moves the clock to `time` and mines a block. Does nothing if `time` is in the past. */
export async function advanceTimeTo(client: DevnetClient, time: number): Promise<void> {
  if (time <= (await getChainTime(client))) return
  await client.request<EvmMine>({ method: 'evm_mine', params: [{ timestamp: time }] })
}

type EvmMine = { Method: 'evm_mine'; Parameters: [{ timestamp: number }]; ReturnType: string }

/** Moves the clock forward by `seconds` and mines a block. */
export async function advanceTime(client: DevnetClient, seconds: number): Promise<void> {
  await advanceTimeTo(client, (await getChainTime(client)) + seconds)
}
