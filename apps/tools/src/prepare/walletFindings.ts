import {
  accessFee,
  actionCredit,
  entryDeposit,
  formatAmount,
  type Market,
  pauseThreshold,
  recommendedDeposit,
  type Token,
} from '@svc/protocol'
import { type Address, formatUnits } from 'viem'
import type { Markets } from '../market.ts'
import { prepareCommand } from '../prepareCommand.ts'
import { readWallet } from '../readWallet.ts'
import { type Finding, found } from './finding.ts'

/** What the wallet has, against what posting and claiming take. */
export async function walletFindings(markets: Markets, market: Market, wallet: Address | null): Promise<Finding[]> {
  if (!wallet) return [found('Wallet', 'warn', 'not looked at', 'Give --from 0x… to check balances and deposit.')]
  const facts = await readWallet(markets.providers, markets.places, market, wallet)
  const { eth, tok, usdc, credits, purse } = facts
  const { deposit, reserved } = facts.agent
  const missing = String(recommendedDeposit - deposit)
  const topUp = `Run: ${prepareCommand('top-up', { market, amountUsdcUnits: missing, from: wallet })}`
  const [level, words]: [Finding['level'], string] =
    deposit < pauseThreshold
      ? ['fail', `below ${formatAmount(pauseThreshold, 'usdc')}: tasks are paused`]
      : deposit < entryDeposit
        ? ['fail', `below ${formatAmount(entryDeposit, 'usdc')}: too little to post or claim`]
        : deposit < recommendedDeposit
          ? ['warn', `below the recommended ${formatAmount(recommendedDeposit, 'usdc')}`]
          : ['ok', 'enough to post and claim']
  return [
    found('ETH', eth > 0n ? 'ok' : 'fail', `${formatUnits(eth, 18)} ETH`, 'Send some ETH to the wallet for gas.'),
    found(
      'TOK',
      tok >= accessFee || credits >= actionCredit ? 'ok' : 'warn',
      formatAmount(tok, 'tok'),
      `A post, claim, dismissal or leave costs ${formatAmount(accessFee, 'tok')} or an Action Credit.`,
    ),
    found('USDC', 'ok', formatAmount(usdc, 'usdc')),
    allowanceFinding(purse.tokAllowance, purse.usdcAllowance.depositVault),
    found(
      'Deposit',
      level,
      `${formatAmount(deposit, 'usdc')}, ${formatAmount(deposit - reserved, 'usdc')} of it free; ${words}`,
      topUp,
    ),
    found('Action Credits', 'ok', `${formatUnits(credits, 18)} credits`),
  ]
}

function allowanceFinding(tok: bigint, usdc: bigint): Finding {
  const endless = 2n ** 128n
  const words = (amount: bigint, token: Token) => (amount >= endless ? 'without limit' : formatAmount(amount, token))
  return found(
    'Allowances',
    tok >= endless || usdc >= endless ? 'warn' : 'ok',
    `TOK to the payment gateway: ${words(tok, 'tok')}; USDC to the deposit vault: ${words(usdc, 'usdc')}`,
    'Every action allows exactly what it takes, so none needs to stand: approve-tok-router --amount 0TOK and approve-usdc-vault --amount 0USDC take them back.',
  )
}
