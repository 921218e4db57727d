import { useApi } from '../api.ts'
import { ActionList } from '../parts/ActionList.tsx'
import { MarketChoice, useMarket } from '../parts/MarketChoice.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { Amount } from '../parts/values.tsx'
import { useWallet } from '../wallet/useWallet.ts'

/** The Union of a market: public totals, and the user's own stake. */
export function UnionPage() {
  const market = useMarket()
  const { address } = useWallet()
  const found = useApi('getUnion', { market })
  const wallet = useApi('getWallet', { address: address ?? '', market }, address !== undefined)
  return (
    <>
      <h1>Union</h1>
      <MarketChoice />
      <QueryView of={found}>
        {(union) => (
          <dl className="money">
            <div>
              <dt>Staked by all</dt>
              <dd>
                <Amount of={union.totalStakedTok} />
              </dd>
            </div>
            <div>
              <dt>Action Credits issued</dt>
              <dd>
                <Credits of={union.totalCreditsIssued} />
              </dd>
            </div>
            <div>
              <dt>Credits that can still be issued</dt>
              <dd>
                <Credits of={union.creditsRemaining} />
              </dd>
            </div>
            <div>
              <dt>Staking</dt>
              <dd>{union.stakingActive ? 'is open' : 'has not been opened yet'}</dd>
            </div>
          </dl>
        )}
      </QueryView>
      {address && wallet.body && (
        <QueryView of={wallet}>
          {({ stakedTokWei, creditsWei, rewardsTokWei, tokWei }) => (
            <section>
              <h2>Yours</h2>
              <p>
                Staked <Amount of={stakedTokWei} />, rewards <Amount of={rewardsTokWei} />, <Credits of={creditsWei} />{' '}
                Action Credits: a whole one pays an access fee. In the wallet: <Amount of={tokWei} />.
              </p>
              <ActionList names={['stake', 'unstake', 'claim-rewards', 'approve-tok-router']} />
            </section>
          )}
        </QueryView>
      )}
    </>
  )
}

const Credits = ({ of }: { of: string }) => <>{(Number(BigInt(of) / 10n ** 14n) / 10_000).toLocaleString('en')}</>
