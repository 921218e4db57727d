import {
  accessFee,
  actionCredit,
  entryDeposit,
  formatAmount,
  type Market,
  pauseRule,
  recommendedDeposit,
} from '@svc/protocol'
import { type Address, formatEther } from 'viem'
import { formatPrepareCommand } from './prepareCommand.ts'
import type { WalletFacts } from './readWallet.ts'

/** One requirement for posting and claiming. */
export interface ChecklistItem {
  item: 'chain' | 'gas' | 'fee' | 'fee-allowance' | 'deposit' | 'recommended-deposit'
  ok: boolean
  /** Whether posting and claiming fail without it. */
  required: boolean
  have: string
  need: string
  /** What to do; null if nothing is missing. */
  nextStep: string | null
}

/** Enough gas for everything that one party does in a task. */
const lifeGas = 3_000_000n

/** Builds the checklist of what a wallet has and needs for posting and claiming in a market. */
export function buildChecklist(facts: WalletFacts, chainId: number, market: Market, wallet: Address): ChecklistItem[] {
  const gasNeed = facts.gasPrice * lifeGas
  const hasCredit = facts.credits >= actionCredit
  const deposited = facts.agent.deposit
  const missing = (target: bigint) => (deposited >= target ? 0n : target - deposited)
  const deposit = formatAmount(deposited, 'usdc')
  const prepare = (action: string, given: Record<string, string>) =>
    `Run: ${formatPrepareCommand(action, { market, ...given, from: wallet })}`
  const topUp = (target: bigint) =>
    facts.usdc >= missing(target)
      ? prepare('top-up', { amountUsdcUnits: String(missing(target)) })
      : `Send ${formatAmount(missing(target) - facts.usdc, 'usdc')} to ${wallet}, then run: ${formatPrepareCommand('top-up', { market, amountUsdcUnits: String(missing(target)), from: wallet })}`
  const item = (
    name: ChecklistItem['item'],
    ok: boolean,
    amounts: Omit<ChecklistItem, 'item' | 'ok' | 'required' | 'nextStep'>,
    nextStep: () => string,
    required = true,
  ): ChecklistItem => ({ item: name, ok, required, ...amounts, nextStep: ok ? null : nextStep() })
  return [
    item(
      'chain',
      facts.chainId === chainId,
      { have: `chain ${facts.chainId}`, need: `chain ${chainId}` },
      () => `Set CHAIN_RPC_URL to a provider of chain ${chainId}.`,
    ),
    item(
      'gas',
      facts.eth >= gasNeed,
      { have: `${formatEther(facts.eth)} ETH`, need: `${formatEther(gasNeed)} ETH for the gas of one task` },
      () => `Send ${formatEther(gasNeed - facts.eth)} ETH to ${wallet}.`,
    ),
    item(
      'fee',
      hasCredit || facts.tok >= accessFee,
      {
        have: hasCredit ? 'an Action Credit' : formatAmount(facts.tok, 'tok'),
        need: `${formatAmount(accessFee, 'tok')} or one Action Credit for each post or claim`,
      },
      () => `Send ${formatAmount(accessFee - facts.tok, 'tok')} to ${wallet}.`,
    ),
    item(
      'fee-allowance',
      hasCredit || facts.balances.tokAllowance >= accessFee,
      {
        have: formatAmount(facts.balances.tokAllowance, 'tok'),
        need: `${formatAmount(accessFee, 'tok')} approved for the payment gateway; prepared actions include their own approval`,
      },
      () => prepare('approve-tok-router', { amountTokWei: String(accessFee) }),
      false,
    ),
    item(
      'deposit',
      deposited >= entryDeposit,
      {
        have: deposit,
        need: `${formatAmount(entryDeposit, 'usdc')} to post or claim. ${pauseRule}`,
      },
      () => topUp(entryDeposit),
    ),
    item(
      'recommended-deposit',
      deposited >= recommendedDeposit,
      { have: deposit, need: `${formatAmount(recommendedDeposit, 'usdc')}, so that one penalty does not block you` },
      () => topUp(recommendedDeposit),
      false,
    ),
  ]
}
