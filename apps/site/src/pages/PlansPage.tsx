import { formatQuotaUse, postingPlans } from '@svc/protocol'
import { useState } from 'react'
import { ActionForm } from '../actions/ActionForm.tsx'
import { useApi } from '../api.ts'
import { useMarket } from '../parts/MarketChoice.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { Time } from '../parts/values.tsx'
import { useLiveUpdates } from '../useLiveUpdates.ts'
import { RequireWallet } from './RequireWallet.tsx'

/** The posting quota, and the plans with their current prices. */
export function PlansPage() {
  return <RequireWallet title="Plans">{(address) => <Plans address={address} />}</RequireWallet>
}

function Plans({ address }: { address: `0x${string}` }) {
  const market = useMarket()
  const quota = useApi('getQuota', { address, market })
  // Shows a plan as soon as the index has its purchase.
  useLiveUpdates(market)
  const [chosen, setChosen] = useState<{ tier: 'basic' | 'pro'; payWith: 'tok' | 'usdc' } | null>(null)
  const quote = useApi(
    'quotePlan',
    { address, market, ...(chosen ?? { tier: 'basic', payWith: 'tok' }) },
    chosen !== null,
  )
  return (
    <>
      <QueryView of={quota}>
        {({ tier, used, limit, resetsAt }) => (
          <p>
            Your plan is <strong>{tier}</strong>: {formatQuotaUse({ used, limit })}. The day ends at{' '}
            <Time at={resetsAt} />. A plan applies as soon as its purchase is on the chain.
          </p>
        )}
      </QueryView>
      <ul className="plans">
        {postingPlans.map(({ id, dailyLimit }) => (
          <li key={id}>
            <h2>{id}</h2>
            <p>{dailyLimit} posts a day</p>
            {id !== 'free' &&
              (['tok', 'usdc'] as const).map((payWith) => (
                <button type="button" key={payWith} onClick={() => setChosen({ tier: id, payWith })}>
                  Quote in {payWith.toUpperCase()}
                </button>
              ))}
          </li>
        ))}
      </ul>
      {chosen && (
        <QueryView of={quote}>
          {({ tier, payWith, discountedUsd, amountUnits }) => (
            <section>
              <h2>
                30 days of {tier} for USD {discountedUsd}, paid in {payWith.toUpperCase()}
              </h2>
              <ActionForm
                key={`${tier}${payWith}${market}`}
                name="buy-plan"
                known={{ market, tier, payWith, beneficiary: address, maxAmount: amountUnits }}
              />
            </section>
          )}
        </QueryView>
      )}
    </>
  )
}
