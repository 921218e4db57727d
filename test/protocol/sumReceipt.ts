import type { PreparedJson } from '@svc/operations'
import type { Token } from '@svc/protocol'
import { listMoneyLines, type MoneyLine } from '../../apps/site/src/actions/moneyLines.ts'

/** Sums what the receipt of the site says that a signature moves: TOK of the wallet, the reserve of the deposit, and what is lost. */
export function sumReceipt(prepared: PreparedJson) {
  const lines = listMoneyLines(prepared)
  const sum = (token: Token, isCounted: (line: MoneyLine) => boolean) =>
    lines.reduce((all, line) => (isCounted(line) && line.money?.token === token ? all + line.money.amount : all), 0n)
  const by = (token: Token, fate: MoneyLine['fate']) => sum(token, (line) => line.fate === fate)
  return {
    tok: by('tok', 'receive') - sum('tok', ({ isFromWallet }) => isFromWallet),
    reserved: by('usdc', 'lock') - by('usdc', 'receive') - by('usdc', 'lose'),
    lost: { tok: by('tok', 'lose'), usdc: by('usdc', 'lose') },
  }
}
