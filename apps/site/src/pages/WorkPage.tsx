import { useApi } from '../api.ts'
import { MarketChoice, useMarket } from '../parts/MarketChoice.tsx'
import { OnTheirWay } from '../parts/OnTheirWay.tsx'
import { Reading } from '../parts/Reading.tsx'
import { TaskTable } from '../parts/TaskTable.tsx'
import { Amount } from '../parts/values.tsx'
import { Link } from '../router.tsx'
import { useWallet } from '../wallet/useWallet.ts'

/** The reader's tasks: what waits for the reader first, as poster, as worker, as arbitrator. */
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
  const posted = useApi('posterTasks', { address, market })
  const worked = useApi('workerTasks', { address, market })
  const wallet = useApi('wallet', { address, market })
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
      <OnTheirWay market={market} />
      <section>
        <h2>Waits for you</h2>
        <TaskTable tasks={waiting} empty="Nothing waits for you." />
      </section>
      <section>
        <h2>As poster</h2>
        <Reading of={posted}>
          {({ tasks }) => <TaskTable tasks={tasks} empty="You have posted nothing in this market." />}
        </Reading>
      </section>
      <section>
        <h2>As worker</h2>
        <Reading of={worked}>
          {({ tasks }) => <TaskTable tasks={tasks} empty="You have claimed nothing in this market." />}
        </Reading>
      </section>
      <section>
        <h2>As arbitrator</h2>
        <Reading of={wallet}>
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
        </Reading>
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
