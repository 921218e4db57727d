import type { DevnetClient } from './client.ts'

/** The time of the last block, in unix seconds. */
export async function chainTime(client: DevnetClient): Promise<number> {
  return Number((await client.getBlock()).timestamp)
}

/** Moves the clock and mines a block there. Time only goes forward: an earlier `time` changes nothing. */
export async function warpTo(client: DevnetClient, time: number): Promise<void> {
  if (time <= (await chainTime(client))) return
  await client.request<EvmMine>({ method: 'evm_mine', params: [{ timestamp: time }] })
}

type EvmMine = { Method: 'evm_mine'; Parameters: [{ timestamp: number }]; ReturnType: string }

/** Lets `seconds` pass. */
export async function warp(client: DevnetClient, seconds: number): Promise<void> {
  await warpTo(client, (await chainTime(client)) + seconds)
}
