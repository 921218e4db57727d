import { postingPlans } from '@svc/protocol'
import { useState } from 'react'
import { ActionForm } from '../actions/ActionForm.tsx'
import { useTransactions } from '../actions/transactions.ts'
import { api, useApi } from '../api.ts'
import { useMarket } from '../parts/MarketChoice.tsx'
import { describeError, QueryView } from '../parts/QueryView.tsx'
import { Time } from '../parts/values.tsx'
import { RequireWallet } from './RequireWallet.tsx'

/** The posting quota, and the plans with their current prices. */
export function PlansPage() {
  return <RequireWallet title="Plans">{(address) => <Plans address={address} />}</RequireWallet>
}

function Plans({ address }: { address: `0x${string}` }) {
  const market = useMarket()
  const quota = useApi('getQuota', { address, market })
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
            Your plan is <strong>{tier}</strong>: {used} of {limit} posts used today. The day ends at{' '}
            <Time at={resetsAt} />.
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
          {({ tier, payWith, discountedUsd, amountWei }) => (
            <section>
              <h2>
                30 days of {tier} for USD {discountedUsd}, paid in {payWith.toUpperCase()}
              </h2>
              <ActionForm
                key={`${tier}${payWith}${market}`}
                name="buy-plan"
                known={{ market, tier, payWith, beneficiary: address, maxAmount: amountWei }}
              />
            </section>
          )}
        </QueryView>
      )}
      <Applied address={address} />
    </>
  )
}

/** Activates a plan as soon as its payment is mined. */
function Applied({ address }: { address: `0x${string}` }) {
  const market = useMarket()
  const [said, setSaid] = useState<string | null>(null)
  const paid = useTransactions().find(
    ({ action, stage, market: of }) =>
      action === 'buy-plan' && of === market && (stage === 'in block' || stage === 'safe'),
  )
  if (!paid) return null
  const apply = async (payWith: 'tok' | 'usdc', tier: 'basic' | 'pro') => {
    try {
      const { body } = await api.upgradePlan({
        address,
        market,
        tier,
        payWith,
        txHash: paid.hashes.at(-1) ?? '',
      })
      setSaid(`The ${body.tier} plan is in force.`)
    } catch (error) {
      setSaid(describeError(error as Error))
    }
  }
  const tier = paid.input?.tier === 'pro' ? 'pro' : 'basic'
  return (
    <p className="notice" role="status">
      {said ?? 'Your payment is on the chain.'}{' '}
      {!said && (
        <button type="button" onClick={() => void apply(paid.input?.payWith === 'usdc' ? 'usdc' : 'tok', tier)}>
          Put the plan in force
        </button>
      )}
    </p>
  )
}
