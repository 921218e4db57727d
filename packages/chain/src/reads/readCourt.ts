import { type Market, markets } from '@svc/protocol'
import { realityCourtAbi } from '@svc/protocol/abis'
import { type Address, parseAbi } from 'viem'
import type { Deployments } from '../deployments.ts'
import type { Provider } from '../providers.ts'
import { describeRealityCourt, findWrongCode } from '../verifyDeployments.ts'

const safeAbi = parseAbi([
  'function getThreshold() view returns (uint256)',
  'function getOwners() view returns (address[])',
  'function VERSION() view returns (string)',
])

/** How the cases of a market are put to the public. Times are in seconds. */
export interface CourtSeat {
  answerTime: number
  timeout: number
  minBond: bigint
}

/** Who decides as the final court. A plain wallet is for test chains only. */
export type Court =
  | { kind: 'wallet' | 'contract'; address: Address }
  | { kind: 'safe'; address: Address; owners: readonly Address[]; threshold: number; version: string }
  | { kind: 'reality'; address: Address; reality: Address; policy: string; seats: Readonly<Record<Market, CourtSeat>> }

/** Reads what the final court of a deployment is, from its code and what it answers. */
export async function readCourt({ client }: Provider, deployments: Deployments): Promise<Court> {
  const address = deployments.shared.finalCourt
  const code = await client.getCode({ address })
  if (!code || code === '0x') return { kind: 'wallet', address }
  if (findWrongCode(describeRealityCourt(deployments), code, deployments) === null) {
    const court = { address, abi: realityCourtAbi } as const
    const readSeat = async (market: Market): Promise<CourtSeat> => {
      const { arbitration } = deployments.markets[market]
      const seat = await client.readContract({ ...court, functionName: 'seatOf', args: [arbitration] })
      return { answerTime: seat.answerTime, timeout: seat.timeout, minBond: seat.minBond }
    }
    const [reality, policy, ...seats] = await Promise.all([
      client.readContract({ ...court, functionName: 'reality' }),
      client.readContract({ ...court, functionName: 'policy' }),
      ...markets.map(readSeat),
    ])
    const [standard, micro] = seats
    if (!standard || !micro) throw new RangeError('There are two markets.')
    return { kind: 'reality', address, reality, policy, seats: { standard, micro } }
  }
  const safe = { address, abi: safeAbi } as const
  const answers = await Promise.all([
    client.readContract({ ...safe, functionName: 'getThreshold' }),
    client.readContract({ ...safe, functionName: 'getOwners' }),
    client.readContract({ ...safe, functionName: 'VERSION' }),
  ]).catch(() => null)
  if (!answers) return { kind: 'contract', address }
  const [threshold, owners, version] = answers
  return { kind: 'safe', address, owners, threshold: Number(threshold), version }
}
