import type { PreparedJson } from '@svc/operations'
import { type Call, computeCost } from '@svc/protocol/actions'
import {
  computeWalletTok,
  type DecodedCalls,
  decodeBatch,
  describeCosts,
  isWithinFeed,
} from '@svc/protocol/internal/actions'
import { type Address, decodeAbiParameters, getAddress, isHex } from 'viem'
import { contracts, usdOracle } from '../deployments.ts'
import { actionText } from '../text/signing.ts'
import type { WalletProvider } from '../wallet/provider.ts'
import { type ReadBack, type RequestedAction, readBack, refuse } from './readBack.ts'

/** One action of a batch: what is signed for it, and what was read back from its bytes. */
export interface BatchPart {
  prepared: PreparedJson
  read: ReadBack
}

/**
 * Reads a prepared batch back from its bytes, action by action. What comes before the requested action is shown from the bytes alone,
 * and must be what that action needs: a server cannot sell somebody more TOK than it takes.
 */
export function readBatch(prepared: PreparedJson, asked: RequestedAction): BatchPart[] {
  const parts = decodeParts(prepared)
  const last = parts.at(-1)
  const from = getAddress(prepared.from)
  if (!last || buysTooMuch(parts, from)) return [{ prepared, read: refuse(actionText.otherThanAsked) }]
  let next = 0
  return parts.map((part): BatchPart => {
    const start = next
    next += part.approvals.length + (part.action.swap === 'buy' ? 2 : 1)
    const own = { ...prepared, calls: prepared.calls.slice(start, next), decoded: prepared.decoded.slice(start, next) }
    if (part === last) {
      // The costs of what comes first are shown with it.
      const whole = { ...own, costs: prepared.costs.slice(parts.length - 1) }
      return { prepared: whole, read: readBack(whole, asked) }
    }
    const { name: action, title, explain } = part.action
    const costs = describeCosts(computeCost(part.action, part.input, { from }), { credits: 0n })
    const simulation: PreparedJson['simulation'] = { status: 'succeeds', gas: '0', changes: [], others: [] }
    const first = { ...own, action, title, explain, costs, deadline: null, simulation }
    return { prepared: first, read: readBack(first, { action: part.name, input: {}, from: asked.from }) }
  })
}

/** The actions of a batch, decoded from its bytes with the contracts of this build. Empty if they are anything else. */
export function decodeParts({ market, calls }: Pick<PreparedJson, 'market' | 'calls'>): DecodedCalls[] {
  const only = { [market]: contracts[market] } as typeof contracts
  return decodeBatch(calls as readonly Call[], only) ?? []
}

/** Whether more TOK is bought than the action takes at most. What a dispute takes depends on its task. */
function buysTooMuch(parts: readonly DecodedCalls[], from: Address): boolean {
  const [first, last] = [parts[0], parts.at(-1)]
  if (first?.name !== 'buy-tok' || !last || last === first || last.name === 'open-dispute') return false
  const most = computeWalletTok(computeCost(last.action, last.input, { from }), { credits: 0n })
  return first.input.amountTokWei > most
}

/** `tokUsdPrice()` of the oracle. */
const priceCall = '0xdc3f7b98'

/** Why a swap must not be signed; null if it may. The price comes through the visitor's wallet, so a server cannot invent it. */
export async function findSwapProblem(provider: WalletProvider, prepared: PreparedJson): Promise<string | null> {
  const swap = decodeParts(prepared).find(({ action }) => action.swap)
  if (swap?.name !== 'buy-tok' && swap?.name !== 'sell-tok') return null
  const answer = await provider
    .request({ method: 'eth_call', params: [{ to: usdOracle, data: priceCall }, 'latest'] })
    .catch(() => null)
  if (!isHex(answer) || answer.length < 130) return actionText.swap.noPrice
  const [price] = decodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], answer)
  const isFair =
    swap.name === 'buy-tok'
      ? isWithinFeed('buy', swap.input.amountTokWei, swap.input.maxUsdc, price)
      : isWithinFeed('sell', swap.input.amountTokWei, swap.input.minUsdc, price)
  return isFair ? null : actionText.swap.priceOff
}
