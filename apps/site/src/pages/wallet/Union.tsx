import type { OutputJson } from '@svc/operations'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { useApi } from '../../api.ts'
import { formatCredits, moneyText } from '../../text/money.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Note } from '../../ui/Note.tsx'
import { useMarket } from '../../useMarket.ts'

const labels = moneyText.union

/** The user's stake in the Union of a market, and the totals of all. */
export function Union({ wallet }: { wallet: OutputJson<'getWallet'> }) {
  const { body: union } = useApi('getUnion', { market: useMarket() })
  return (
    <section id="union" className="card pad panel">
      <header>
        <h2>{labels.title}</h2>
        <p className="big-number">
          <Amount of={wallet.stakedTokWei} usd />
        </p>
      </header>
      <p className="small soft">{labels.description}</p>
      <dl className="facts">
        <dt>{labels.rewards}</dt>
        <dd>
          <Amount of={wallet.rewardsTokWei} usd={BigInt(wallet.rewardsTokWei) > 0n} />
        </dd>
        <dt title={labels.creditsSays}>{labels.credits}</dt>
        <dd>{formatCredits(wallet.creditsWei)}</dd>
        {union && (
          <>
            <dt>{labels.all}</dt>
            <dd>
              <Amount of={union.totalStakedTok} />
            </dd>
            <dt>{labels.remaining}</dt>
            <dd>{formatCredits(union.creditsRemaining)}</dd>
          </>
        )}
      </dl>
      <p className="tiny faint">
        {labels.creditsSays} {labels.perDay}
      </p>
      {union?.stakingActive === false && <Note>{labels.closed}</Note>}
      <p className="row wrapping">
        <ActionButton name="stake" label={labels.stake} />
        <ActionButton name="unstake" label={labels.unstake} disabled={BigInt(wallet.stakedTokWei) === 0n} />
        <ActionButton name="claim-rewards" look="quiet" disabled={BigInt(wallet.rewardsTokWei) === 0n} />
      </p>
    </section>
  )
}
