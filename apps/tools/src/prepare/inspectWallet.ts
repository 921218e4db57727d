import {
  accessFee,
  entryDeposit,
  formatAmount,
  type Market,
  pauseThreshold,
  recommendedDeposit,
  type Token,
} from '@svc/protocol'
import { actionCredit } from '@svc/protocol/internal/money'
import { pauseRule } from '@svc/protocol/internal/tasks'
import { type Address, formatUnits } from 'viem'
import type { Markets } from '../market.ts'
import { formatPrepareCommand } from '../prepareCommand.ts'
import { readWallet } from '../readWallet.ts'
import { createFinding, type Finding } from './finding.ts'

/** Checks what the wallet has against what posting and claiming require. */
export async function inspectWallet(markets: Markets, market: Market, wallet: Address | null): Promise<Finding[]> {
  if (!wallet) return [createFinding('Wallet', 'warn', 'not checked', 'Pass --from 0x… to check balances and deposit.')]
  const facts = await readWallet(markets.providers, markets.places, market, wallet)
  const { eth, tok, usdc, credits, balances } = facts
  const { deposit, reserved } = facts.agent
  const missing = String(recommendedDeposit - deposit)
  const topUp = `Run: ${formatPrepareCommand('top-up', { market, amountUsdcUnits: missing, from: wallet })}`
  const [level, status]: [Finding['level'], string] =
    deposit < pauseThreshold
      ? ['fail', pauseRule]
      : deposit < entryDeposit
        ? ['fail', `Below ${formatAmount(entryDeposit, 'usdc')}: not enough to post or claim.`]
        : deposit < recommendedDeposit
          ? ['warn', `Below the recommended ${formatAmount(recommendedDeposit, 'usdc')}.`]
          : ['ok', 'Enough to post and claim.']
  return [
    createFinding(
      'ETH',
      eth > 0n ? 'ok' : 'fail',
      `${formatUnits(eth, 18)} ETH`,
      'Send some ETH to the wallet for gas.',
    ),
    createFinding(
      'TOK',
      tok >= accessFee || credits >= actionCredit ? 'ok' : 'warn',
      formatAmount(tok, 'tok'),
      `A post, claim, dismissal or leave costs ${formatAmount(accessFee, 'tok')} or an Action Credit.`,
    ),
    createFinding('USDC', 'ok', formatAmount(usdc, 'usdc')),
    allowanceFinding(balances.tokAllowance, balances.usdcAllowance.depositVault),
    createFinding(
      'Deposit',
      level,
      `${formatAmount(deposit, 'usdc')}, ${formatAmount(deposit - reserved, 'usdc')} of it free. ${status}`,
      topUp,
    ),
    createFinding('Action Credits', 'ok', `${formatUnits(credits, 18)} credits`),
  ]
}

function allowanceFinding(tok: bigint, usdc: bigint): Finding {
  const unlimited = 2n ** 128n
  const format = (amount: bigint, token: Token) => (amount >= unlimited ? 'unlimited' : formatAmount(amount, token))
  return createFinding(
    'Allowances',
    tok >= unlimited || usdc >= unlimited ? 'warn' : 'ok',
    `TOK to the payment gateway: ${format(tok, 'tok')}; USDC to the deposit vault: ${format(usdc, 'usdc')}`,
    'Every action approves exactly what it spends, so you can revoke them with approve-tok-router --amount 0TOK and approve-usdc-vault --amount 0USDC.',
  )
}
