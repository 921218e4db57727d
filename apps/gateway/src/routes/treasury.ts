import { atHead, marketPlaces } from '@svc/chain'
import { formatTaskId, type Market } from '@svc/protocol'
import { depositLineOf, depositLines, type SolvencyJson } from '@svc/protocol/http'
import { limit, market, minBlock } from '@svc/serve'
import { type Holdings, readHoldings, type Wallet } from '../reads/readHoldings.ts'
import { defineRead } from '../route.ts'

/** GET /v1/treasury: each agent's deposit against the lines, lowest first, and what tasks hold. */
export const treasury = defineRead({
  path: '/v1/treasury',
  query: { market, limit, minBlock },
  wide: true,
  marketOf: ({ market }) => market,
  async read({ market, limit }, { providers, places }) {
    const { markets, startBlock } = marketPlaces(places)
    const { block, ...holdings } = await atHead(providers, (provider, at) =>
      readHoldings(provider, markets[market], at, startBlock),
    )
    return { body: bodyOf(holdings, market, limit), block }
  },
})

function bodyOf({ wallets, totalDeposits, escrow }: Holdings, market: Market, limit: number) {
  const rows = wallets.map(rowOf)
  return {
    agents: rows.slice(0, limit),
    counts: Object.fromEntries(depositLines.map((line) => [line, rows.filter((row) => row.line === line).length])),
    totalDepositsUsdc: String(totalDeposits),
    escrow: {
      heldTokWei: String(escrow.held),
      withdrawableTokWei: String(escrow.withdrawable),
      taskCount: escrow.tasks.length,
      tasks: escrow.tasks.slice(0, limit).map(({ number, held }) => ({
        id: formatTaskId({ market, number }),
        heldTokWei: String(held),
      })),
    },
  }
}

function rowOf({ address, deposit, reserved, liveClaims }: Wallet): SolvencyJson {
  return {
    address,
    depositUsdc: String(deposit),
    reservedUsdc: String(reserved),
    freeUsdc: String(deposit - reserved),
    liveClaims,
    line: depositLineOf(deposit),
  }
}
