import { postingPlans } from '@svc/protocol'
import { type PaidPlan, planPrices } from '@svc/protocol/internal/money'
import { useState } from 'react'
import { ActionForm } from '../actions/ActionForm.tsx'
import { useApi } from '../api.ts'
import { PageHead } from '../parts/PageHead.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { RequireWallet } from '../parts/RequireWallet.tsx'
import { plansText as labels } from '../text/plans.ts'
import { Button } from '../ui/Button.tsx'
import { Time } from '../ui/Time.tsx'
import { useMarket } from '../useMarket.ts'
import '../style/plans.css'

type Choice = { tier: PaidPlan; payWith: 'tok' | 'usdc' }

/** The posting quota, and the plans with their current prices. */
export function PlansPage() {
  return (
    <>
      <PageHead title={labels.title} description={labels.description} />
      <RequireWallet description={labels.connect}>{(address) => <Plans address={address} />}</RequireWallet>
    </>
  )
}

function Plans({ address }: { address: `0x${string}` }) {
  const market = useMarket()
  const quota = useApi('getQuota', { address, market })
  const [chosen, setChosen] = useState<Choice | null>(null)
  return (
    <div className="stack loose">
      <QueryView of={quota}>
        {({ used, limit, resetsAt }) => (
          <p className="soft">
            {labels.used(used, limit)}. {labels.resets} <Time at={resetsAt} />. {labels.atOnce}
          </p>
        )}
      </QueryView>
      <ul className="plan-cards">
        {postingPlans.map(({ id, dailyLimit }) => (
          <li key={id} className={id === quota.body?.tier ? 'card pad current' : 'card pad'}>
            <div className="row between">
              <h2>{labels.names[id]}</h2>
              {id === quota.body?.tier && <span className="pill good">{labels.current}</span>}
            </div>
            {id === 'free' ? (
              <>
                <p className="big-number">{labels.freePrice}</p>
                <p>{labels.perDay(dailyLimit)}</p>
                <p className="small soft">{labels.free}</p>
              </>
            ) : (
              <PaidPlanOffer tier={id} dailyLimit={dailyLimit} onChoose={setChosen} />
            )}
          </li>
        ))}
      </ul>
      {chosen && <Purchase key={`${chosen.tier}${chosen.payWith}${market}`} {...chosen} address={address} />}
    </div>
  )
}

interface OfferProps {
  tier: PaidPlan
  dailyLimit: number
  onChoose: (choice: Choice) => void
}

/** Price of a plan, with one button for each token that it is sold for. */
function PaidPlanOffer({ tier, dailyLimit, onChoose }: OfferProps) {
  const { body } = useApi('previewPlanPrice', { tier, market: useMarket() })
  const listPrice = body?.listPriceUsdc ?? Number(planPrices[tier].listPriceUsd) / 1e6
  // Without an oracle, or if the owner says so, a plan is not sold for TOK.
  const isForTok = body?.tokAllowed !== false
  return (
    <>
      <p>
        <span className="big-number">{labels.price(listPrice)}</span> <span className="soft">{labels.period}</span>
      </p>
      <p>{labels.perDay(dailyLimit)}</p>
      {isForTok && body && <p className="small soft">{labels.withTok(body.discountedUsd)}</p>}
      <p className="row wrapping">
        {isForTok && <Button onClick={() => onChoose({ tier, payWith: 'tok' })}>{labels.buyTok}</Button>}
        <Button onClick={() => onChoose({ tier, payWith: 'usdc' })}>{labels.buyUsdc}</Button>
      </p>
    </>
  )
}

function Purchase({ tier, payWith, address }: Choice & { address: `0x${string}` }) {
  const market = useMarket()
  const quote = useApi('quotePlan', { address, market, tier, payWith })
  return (
    <section className="card pad panel purchase" aria-live="polite">
      <QueryView of={quote}>
        {({ discountedUsd, amountUnits }) => (
          <>
            <h2>{labels.buyTitle(labels.names[tier], discountedUsd, payWith.toUpperCase())}</h2>
            <ActionForm
              name="buy-plan"
              known={{ market, tier, payWith, beneficiary: address, maxAmount: amountUnits }}
            />
          </>
        )}
      </QueryView>
    </section>
  )
}
