import { useApi } from '../api.ts'
import { PageHead } from '../parts/PageHead.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { profileText } from '../text/profile.ts'
import { Address } from '../ui/Address.tsx'
import { Amount } from '../ui/Amount.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { SkeletonList } from '../ui/Skeleton.tsx'
import { useMarket } from '../useMarket.ts'
import { useWallet } from '../wallet/useWallet.ts'
import '../style/profile.css'

const labels = profileText.leaderboard

/** The wallets with the best record in this market. */
export function LeaderboardPage() {
  const { address } = useWallet()
  const found = useApi('listReputation', { market: useMarket(), limit: 50 })
  return (
    <>
      <PageHead title={labels.title} description={labels.description} />
      <QueryView of={found} loading={<SkeletonList />}>
        {({ agents, formula }) => (
          <div className="stack loose">
            {agents.length === 0 ? (
              <div className="card">
                <Empty action={<ButtonLink href="/tasks">{labels.explore}</ButtonLink>}>{labels.empty}</Empty>
              </div>
            ) : (
              <div className="card">
                <table className="ranking">
                  <thead>
                    <tr>
                      <th scope="col">{labels.rank}</th>
                      <th scope="col">{labels.wallet}</th>
                      <th scope="col">{labels.score}</th>
                      <th scope="col">{labels.finished}</th>
                      <th scope="col">{labels.disputes}</th>
                      <th scope="col">{labels.earned}</th>
                      <th scope="col">{labels.paid}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {agents.map((agent, index) => (
                      <tr
                        key={agent.address}
                        className={agent.address.toLowerCase() === address?.toLowerCase() ? 'own' : undefined}
                      >
                        <td className="soft">{index + 1}</td>
                        <th scope="row">
                          <Address of={agent.address} you={address} size={28} />
                        </th>
                        <td className="score">{agent.score}</td>
                        <td data-label={labels.finished}>{agent.completed}</td>
                        <td data-label={labels.disputes}>
                          {labels.disputesValue(agent.disputesWon, agent.disputesWon + agent.disputesLost)}
                        </td>
                        <td data-label={labels.earned}>
                          <Amount of={agent.earnedTokWei} />
                        </td>
                        <td data-label={labels.paid}>
                          <Amount of={agent.paidTokWei} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
            <details>
              <summary className="small">{profileText.formula}</summary>
              <p className="small soft">{profileText.formulaSays}</p>
              <p className="code">{formula}</p>
            </details>
          </div>
        )}
      </QueryView>
    </>
  )
}
