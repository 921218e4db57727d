import { useApi } from '../api.ts'
import { Deeds } from '../parts/Deeds.tsx'
import { useMarket } from '../parts/MarketChoice.tsx'
import { Reading } from '../parts/Reading.tsx'
import { Amount } from '../parts/values.tsx'
import { WithWallet } from './WithWallet.tsx'

/** The reader's money in tasks, as a chart and a table. */
export function LedgerPage() {
  return <WithWallet title="Ledger">{(address) => <Ledger address={address} />}</WithWallet>
}

function Ledger({ address }: { address: `0x${string}` }) {
  const market = useMarket()
  const found = useApi('getMarketLedger', { address, market })
  return (
    <>
      <Reading of={found}>
        {({ buyer, worker }) => {
          const rows = [
            ['Paid in as poster', buyer.fundedTokWei],
            ['Locked in your tasks', buyer.lockedTokWei],
            ['In dispute, as poster', buyer.disputedTokWei],
            ['Paid to workers', buyer.releasedTokWei],
            ['Given back to you', buyer.refundedTokWei],
            ['Locked for you as worker', worker.lockedTokWei],
            ['In dispute, as worker', worker.disputedTokWei],
            ['Earned as worker', worker.releasedTokWei],
          ] as const
          const most = rows.reduce((top, [, amount]) => (BigInt(amount) > top ? BigInt(amount) : top), 1n)
          return (
            <>
              <p>
                {buyer.taskCount} tasks posted, {worker.taskCount} worked on.
              </p>
              <table className="ledger">
                <thead>
                  <tr>
                    <th scope="col">What</th>
                    <th scope="col">Amount</th>
                    <th scope="col">Share</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map(([what, amount]) => (
                    <tr key={what}>
                      <th scope="row">{what}</th>
                      <td>
                        <Amount of={amount} />
                      </td>
                      <td className="chart">
                        <meter
                          aria-label={what}
                          min={0}
                          max={1}
                          value={Number((BigInt(amount) * 10_000n) / most) / 10_000}
                        />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </>
          )
        }}
      </Reading>
      <Deeds names={['withdraw-payout', 'withdraw-award', 'invalidate-nonce']} start={{ to: address }} />
    </>
  )
}
