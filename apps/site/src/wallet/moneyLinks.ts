import { chainProfile } from '../deployments.ts'

/** Ways to money that an operator can name: pages of other companies. */
export type MoneyWay = 'card' | 'exchange' | 'bridge' | 'faucet'

// A constant of the build.
declare const __MONEY_LINKS__: Partial<Record<MoneyWay, string>>

const ways: readonly MoneyWay[] = ['card', 'exchange', 'bridge', 'faucet']

/** Lists the pages where a wallet gets USDC, as the operator named them. Test money only where money is for tests. */
export function listMoneyLinks(address: string, usdc: string): { way: MoneyWay; url: URL }[] {
  const fill = { address, usdc, chain: chainProfile.name }
  return ways.flatMap((way) => {
    if (way === 'faucet' && chainProfile.banner === null) return []
    const text = Object.entries(fill).reduce(
      (url, [name, value]) => url.replaceAll(`{${name}}`, encodeURIComponent(value)),
      __MONEY_LINKS__[way] ?? '',
    )
    const url = URL.parse(text)
    return url?.protocol === 'https:' ? [{ way, url }] : []
  })
}
