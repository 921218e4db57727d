import { getMarketDeployment, type Providers, readAtHead } from '@svc/chain'
import { findDepositLine, operations, type SolvencyJson } from '@svc/operations'
import { formatTaskId, type Market } from '@svc/protocol'
import { implementRead } from '@svc/reads'
import { type Holdings, readHoldings, type Wallet } from './readHoldings.ts'

/** Reads the treasury from storage and logs: the index has no such table. */
export const createTreasuryRead = (providers: Providers) =>
  implementRead(operations.getTreasury)({
    costly: true,
    async run({ market, limit }, _, deployments) {
      const { markets, startBlock } = getMarketDeployment(deployments)
      const { block, ...holdings } = await readAtHead(providers, (provider, at) =>
        readHoldings(provider, markets[market], at, startBlock),
      )
      return { body: describeHoldings(holdings, market, limit), block }
    },
  })

function describeHoldings({ wallets, totalDeposits, escrow }: Holdings, market: Market, limit: number) {
  const rows = wallets.map(describeWallet)
  const countByLine = (line: SolvencyJson['line']) => rows.filter((row) => row.line === line).length
  return {
    agents: rows.slice(0, limit),
    counts: {
      paused: countByLine('paused'),
      'below-entry': countByLine('below-entry'),
      'below-recommended': countByLine('below-recommended'),
      ready: countByLine('ready'),
    },
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

function describeWallet({ address, deposit, reserved }: Wallet): SolvencyJson {
  return {
    address,
    depositUsdc: String(deposit),
    reservedUsdc: String(reserved),
    freeUsdc: String(deposit - reserved),
    line: findDepositLine(deposit),
  }
}
