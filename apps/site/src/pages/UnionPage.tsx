import { useApi } from '../api.ts'
import { Deeds } from '../parts/Deeds.tsx'
import { MarketChoice, useMarket } from '../parts/MarketChoice.tsx'
import { Reading } from '../parts/Reading.tsx'
import { Amount } from '../parts/values.tsx'
import { useWallet } from '../wallet/useWallet.ts'

/** The Union of a market: the snapshot for everybody, and the reader's own stake. */
export function UnionPage() {
  const market = useMarket()
  const { address } = useWallet()
  const found = useApi('unionOverview', { market })
  const wallet = useApi('wallet', { address: address ?? '', market }, address !== undefined)
  return (
    <>
      <h1>Union</h1>
      <MarketChoice />
      <Reading of={found}>
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
      </Reading>
      {address && wallet.body && (
        <Reading of={wallet}>
          {({ stakedTokWei, creditsWei, rewardsTokWei, tokWei }) => (
            <section>
              <h2>Yours</h2>
              <p>
                Staked <Amount of={stakedTokWei} />, rewards <Amount of={rewardsTokWei} />, <Credits of={creditsWei} />{' '}
                Action Credits: a whole one pays an access fee. In the wallet: <Amount of={tokWei} />.
              </p>
              <Deeds names={['stake', 'unstake', 'claim-rewards', 'approve-tok-router']} />
            </section>
          )}
        </Reading>
      )}
    </>
  )
}

const Credits = ({ of }: { of: string }) => <>{(Number(BigInt(of) / 10n ** 14n) / 10_000).toLocaleString('en')}</>
