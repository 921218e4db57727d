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

const words = profileText.leaderboard

/** The wallets with the best record in this market. */
export function LeaderboardPage() {
  const { address } = useWallet()
  const found = useApi('listReputation', { market: useMarket(), limit: 50 })
  return (
    <>
      <PageHead title={words.title} says={words.says} />
      <QueryView of={found} loading={<SkeletonList />}>
        {({ agents, formula }) => (
          <div className="stack loose">
            {agents.length === 0 ? (
              <div className="card">
                <Empty action={<ButtonLink href="/tasks">{words.explore}</ButtonLink>}>{words.empty}</Empty>
              </div>
            ) : (
              <div className="card">
                <table className="ranking">
                  <thead>
                    <tr>
                      <th scope="col">{words.rank}</th>
                      <th scope="col">{words.wallet}</th>
                      <th scope="col">{words.score}</th>
                      <th scope="col">{words.finished}</th>
                      <th scope="col">{words.disputes}</th>
                      <th scope="col">{words.earned}</th>
                      <th scope="col">{words.paid}</th>
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
                        <td data-label={words.finished}>{agent.completed}</td>
                        <td data-label={words.disputes}>
                          {words.disputesValue(agent.disputesWon, agent.disputesWon + agent.disputesLost)}
                        </td>
                        <td data-label={words.earned}>
                          <Amount of={agent.earnedTokWei} />
                        </td>
                        <td data-label={words.paid}>
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
