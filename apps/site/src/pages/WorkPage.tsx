import { useApi } from '../api.ts'
import { MarketChoice, useMarket } from '../parts/MarketChoice.tsx'
import { PendingTransactions } from '../parts/PendingTransactions.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { TaskTable } from '../parts/TaskTable.tsx'
import { Amount } from '../parts/values.tsx'
import { Link } from '../router.tsx'
import { useWallet } from '../wallet/useWallet.ts'

/** The user's tasks: those that need attention first, then as poster, worker and arbitrator. */
export function WorkPage() {
  const { address } = useWallet()
  if (!address) {
    return (
      <>
        <h1>My work</h1>
        <p className="notice">Connect a wallet to see what it posted and works on.</p>
      </>
    )
  }
  return <Work address={address} />
}

function Work({ address }: { address: string }) {
  const market = useMarket()
  const posted = useApi('listTasksByPoster', { address, market })
  const worked = useApi('listTasksByWorker', { address, market })
  const wallet = useApi('getWallet', { address, market })
  const waiting = [
    ...(posted.body?.tasks ?? []).filter(
      ({ state, reviewEnd }) =>
        state === 'CLAIMED' || (state === 'ACTIVE' && reviewEnd !== null) || state === 'DISPUTED',
    ),
    ...(worked.body?.tasks ?? []).filter(
      ({ state, reviewEnd }) => (state === 'ACTIVE' && reviewEnd === null) || state === 'DISPUTED',
    ),
  ]
  return (
    <>
      <h1>My work</h1>
      <MarketChoice />
      <PendingTransactions market={market} />
      <section>
        <h2>Waits for you</h2>
        <TaskTable tasks={waiting} empty="Nothing waits for you." />
      </section>
      <section>
        <h2>As poster</h2>
        <QueryView of={posted}>
          {({ tasks }) => <TaskTable tasks={tasks} empty="You have posted nothing in this market." />}
        </QueryView>
      </section>
      <section>
        <h2>As worker</h2>
        <QueryView of={worked}>
          {({ tasks }) => <TaskTable tasks={tasks} empty="You have claimed nothing in this market." />}
        </QueryView>
      </section>
      <section>
        <h2>As arbitrator</h2>
        <QueryView of={wallet}>
          {({ arbitrator, payoutsTokWei, awardsTokWei }) => (
            <>
              {arbitrator ? (
                <p>
                  Bond <Amount of={arbitrator.bondTokWei} />, {arbitrator.openCases} open cases, {arbitrator.resolved}{' '}
                  resolved, {arbitrator.timedOut} timed out.
                </p>
              ) : (
                <p>You are no arbitrator here.</p>
              )}
              <p>
                Waits to be withdrawn: payouts <Amount of={payoutsTokWei} />, awards <Amount of={awardsTokWei} />.
              </p>
            </>
          )}
        </QueryView>
        <p className="links">
          {['register-arbitrator', 'request-unbond', 'unbond', 'withdraw-award', 'withdraw-payout'].map((name) => (
            <Link key={name} href={`/do/${name}?market=${market}`}>
              {name.replaceAll('-', ' ')}
            </Link>
          ))}
        </p>
      </section>
    </>
  )
}
