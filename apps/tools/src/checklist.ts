import { formatAmount, type Market } from '@svc/protocol'
import { describePrice, getPrice } from '@svc/protocol/internal/actions'
import { actionCredit } from '@svc/protocol/internal/money'
import { listRequirements, type ReadinessItem, type Requirement } from '@svc/protocol/internal/people'
import { pauseRule } from '@svc/protocol/internal/tasks'
import { type Address, formatEther } from 'viem'
import type { WalletFacts } from './readWallet.ts'

/** Posting and claiming cost the same. */
const entry = getPrice('claim-task', 'worker')

/** One requirement for posting and claiming. */
export interface ChecklistItem {
  item: ReadinessItem
  ok: boolean
  /** Whether posting and claiming fail without it. */
  required: boolean
  have: string
  need: string
  /** What to do; null if nothing is missing. */
  nextStep: string | null
}

/** Builds the checklist of what a wallet has and needs for posting and claiming in a market. */
export function buildChecklist(
  facts: WalletFacts,
  chainId: number,
  market: Market,
  wallet: Address,
  /** How this surface prepares an action: a shell runs a command, an MCP client calls a tool. */
  describePrepare: (action: string, input: Readonly<Record<string, string>>) => string,
): ChecklistItem[] {
  const hasCredit = facts.credits >= actionCredit
  const { deposit, reserved } = facts.agent
  const known = { ...facts, deposit, reserved, tokAllowance: facts.balances.tokAllowance }
  const format = ({ token }: Requirement, amount: bigint) =>
    token === 'eth' || token === null ? `${formatEther(amount)} ETH` : formatAmount(amount, token)
  const prepare = (action: string, given: Record<string, string>) => describePrepare(action, { market, ...given })
  const send = (row: Requirement) => `Send ${format(row, row.missing)} to ${wallet}.`
  const topUp = ({ missing }: Requirement) => {
    const command = prepare('top-up', { amountUsdc: String(missing) })
    return facts.usdc >= missing
      ? command
      : `Send ${formatAmount(missing - facts.usdc, 'usdc')} to ${wallet}. Then: ${command}`
  }
  const describeFree = (row: Requirement) => `${format(row, row.have)} that no task reserves`

  const texts: Record<
    ReadinessItem,
    Record<'have' | 'need', (row: Requirement) => string> & { nextStep: (row: Requirement) => string }
  > = {
    chain: {
      have: ({ have }) => `chain ${have}`,
      need: ({ need }) => `chain ${need}`,
      nextStep: ({ need }) => `Set CHAIN_RPC_URL to a provider of chain ${need}.`,
    },
    gas: {
      have: (row) => format(row, row.have),
      need: (row) => `${format(row, row.need)} for the gas of one task`,
      nextStep: send,
    },
    tok: {
      have: (row) => `${format(row, row.have)}${hasCredit ? ' and an Action Credit' : ''}`,
      need: (row) => `${format(row, row.need)} for a post or claim. ${describePrice(entry).join(' ')}`,
      nextStep: send,
    },
    'tok-allowance': {
      have: (row) => format(row, row.have),
      need: (row) =>
        `${format(row, row.need)} approved for the payment gateway; prepared actions include their own approval`,
      nextStep: ({ need }) => prepare('approve-tok-router', { amountTokWei: String(need) }),
    },
    deposit: {
      have: describeFree,
      need: (row) => `${format(row, row.need)} to post or claim. ${pauseRule}`,
      nextStep: topUp,
    },
    'recommended-deposit': {
      have: describeFree,
      need: (row) => `${format(row, row.need)}, so that one penalty does not block you`,
      nextStep: topUp,
    },
  }
  return listRequirements(known, chainId).map((row) => {
    const { item, ok, required } = row
    const { have, need, nextStep } = texts[item]
    return { item, ok, required, have: have(row), need: need(row), nextStep: ok ? null : nextStep(row) }
  })
}
