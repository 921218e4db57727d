import { useApi } from '../api.ts'
import { ActionList } from '../parts/ActionList.tsx'
import { useMarket } from '../parts/MarketChoice.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { Amount } from '../parts/values.tsx'
import { RequireWallet } from './RequireWallet.tsx'

/** The user's money in tasks, as a chart and a table. */
export function LedgerPage() {
  return <RequireWallet title="Ledger">{(address) => <Ledger address={address} />}</RequireWallet>
}

function Ledger({ address }: { address: `0x${string}` }) {
  const market = useMarket()
  const found = useApi('getLedger', { address, market })
  return (
    <>
      <QueryView of={found}>
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
      </QueryView>
      <ActionList names={['withdraw-payout', 'withdraw-award', 'invalidate-nonce']} start={{ to: address }} />
    </>
  )
}
