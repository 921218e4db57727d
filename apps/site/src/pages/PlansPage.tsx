import { postingPlans } from '@svc/protocol'
import { useState } from 'react'
import { ActionForm } from '../actions/ActionForm.tsx'
import { useTransactions } from '../actions/transactions.ts'
import { api, useApi } from '../api.ts'
import { useMarket } from '../parts/MarketChoice.tsx'
import { Reading, wordsOf } from '../parts/Reading.tsx'
import { Time } from '../parts/values.tsx'
import { WithWallet } from './WithWallet.tsx'

/** The posting quota, what plans cost now, and how to buy one. */
export function PlansPage() {
  return <WithWallet title="Plans">{(address) => <Plans address={address} />}</WithWallet>
}

function Plans({ address }: { address: `0x${string}` }) {
  const market = useMarket()
  const quota = useApi('postingQuota', { address, market })
  const [chosen, setChosen] = useState<{ tier: 'basic' | 'pro'; payWith: 'tok' | 'usdc' } | null>(null)
  const quote = useApi(
    'postingQuote',
    { address, market, ...(chosen ?? { tier: 'basic', payWith: 'tok' }) },
    chosen !== null,
  )
  return (
    <>
      <Reading of={quota}>
        {({ tier, used, limit, resetsAt }) => (
          <p>
            Your plan is <strong>{tier}</strong>: {used} of {limit} posts used today. The day ends at{' '}
            <Time at={resetsAt} />.
          </p>
        )}
      </Reading>
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
        <Reading of={quote}>
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
        </Reading>
      )}
      <Applied address={address} />
    </>
  )
}

/** A plan that was paid for here is put in force as soon as its payment is in a block. */
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
      const { body } = await api.postingUpgrade({
        address,
        market,
        tier,
        payWith,
        txHash: paid.hashes.at(-1) ?? '',
      })
      setSaid(`The ${body.tier} plan is in force.`)
    } catch (error) {
      setSaid(wordsOf(error as Error))
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
