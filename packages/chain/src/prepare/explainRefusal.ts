import type { Market, Token } from '@svc/protocol'
import type { Call, Cost } from '@svc/protocol/actions'
import { type ExplainedError, explainError } from '@svc/protocol/errors'
import { computeWalletTok, findCallToken } from '@svc/protocol/internal/actions'
import { type Address, encodeErrorResult, getAddress, type Hex, parseAbi } from 'viem'
import type { MarketAddresses } from '../market.ts'

interface Refusal {
  market: Market
  from: Address
  contracts: MarketAddresses
  /** The call that reverted, and its revert data. */
  call: Call
  data: Hex
  /** The wallet's balances before the calls; null if they could not be read. */
  balances: Readonly<Record<Token | 'credits', bigint>> | null
  /** What the calls take in all. */
  cost?: Cost | undefined
  /** Whether the calls are more than one action: then a single transfer says only a part of what is missing. */
  isBatch?: boolean
}

/** Explains why a simulated call reverted. Amounts are named in the token that the call moves. */
export function explainRefusal({
  market,
  from,
  contracts,
  call,
  data,
  balances,
  cost,
  isBatch = false,
}: Refusal): ExplainedError {
  const token = findCallToken(call, contracts)
  const context = { market, token, caller: from }
  const found = explainError(data, context)
  if (!token || !balances || !cost || !isShortage(found, from)) return found
  // The token only knows the transfer that failed, and an action can make several: the total is what the wallet needs.
  const have = balances[token]
  const need = token === 'tok' ? computeWalletTok(cost, balances) : cost.usdc
  if (need <= have || (!isBatch && isSingleTransfer(call, contracts) && found.name !== 'Error')) return found
  const errorName = 'ERC20InsufficientBalance'
  return explainError(encodeErrorResult({ abi: shortage, errorName, args: [from, have, need] }), context)
}

const shortage = parseAbi(['error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)'])

/** Texts that say that the wallet's own balance was too low: those of USDC on Base, and of the router of a pool. */
const shortageTexts: readonly unknown[] = ['ERC20: transfer amount exceeds balance', 'STF']

/** Whether the wallet's own balance was too low. */
function isShortage({ name, args }: ExplainedError, from: Address): boolean {
  if (name === 'Error') return shortageTexts.includes(args.reason)
  return name === 'ERC20InsufficientBalance' && args.sender === getAddress(from)
}

/** Top-ups and plans make one transfer, of which the token names the exact amount. */
const isSingleTransfer = ({ to }: Call, { depositVault, paymentGateway }: MarketAddresses) =>
  [depositVault, paymentGateway].some((each) => each.toLowerCase() === to.toLowerCase())
