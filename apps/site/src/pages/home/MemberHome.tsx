import { type Market, sanitizeText } from '@svc/protocol'
import { ArrowRight } from 'lucide-react'
import type { Address } from 'viem'
import { PendingTransactions } from '../../actions/PendingTransactions.tsx'
import { useApi } from '../../api.ts'
import type { InboxEntry } from '../../parts/InboxList.tsx'
import { QueryView } from '../../parts/QueryView.tsx'
import { StatePill } from '../../parts/StatePill.tsx'
import { nameTask } from '../../parts/TaskList.tsx'
import { useLiveTasks } from '../../parts/useLiveTasks.ts'
import { Link } from '../../router.tsx'
import '../../style/home.css'
import { text } from '../../text/common.ts'
import { homeText } from '../../text/home.ts'
import { describeInboxLine, inboxText } from '../../text/inbox.ts'
import { Amount } from '../../ui/Amount.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { MarketSwitch } from '../../ui/MarketSwitch.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { TimeLeft } from '../../ui/Time.tsx'
import { useMarket } from '../../useMarket.ts'
import { usePageTitle } from '../../usePageTitle.ts'
import { OpenTasks } from './OpenTasks.tsx'

const labels = homeText.member
const shownDuties = 3
const shownLive = 4

/** What a member sees first: what waits, what runs, what is new. */
export function MemberHome({ address }: { address: Address }) {
  usePageTitle(labels.title)
  const market = useMarket()
  return (
    <div className="home member">
      <div className="row wrapping between">
        <h1>{labels.hello(new Date().getHours())}</h1>
        <MarketSwitch />
      </div>
      <PendingTransactions market={market} />
      <div className="member-columns">
        <Waiting address={address} market={market} />
        <Live address={address} market={market} />
      </div>
      <OpenTasks heading={labels.fresh} />
    </div>
  )
}

/** The three most urgent things of the inbox. */
function Waiting({ address, market }: { address: Address; market: Market }) {
  const inbox = useApi('listInbox', { address, market })
  return (
    <section className="stack" aria-labelledby="waits">
      <div className="row between">
        <h2 id="waits">{labels.waits}</h2>
        <Link href="/inbox" className="row see-all">
          {labels.inbox} <ArrowRight size={16} aria-hidden="true" />
        </Link>
      </div>
      <QueryView of={inbox} loading={<Skeleton lines={4} />}>
        {({ entries }) =>
          entries.length === 0 ? (
            <p className="card pad soft">{labels.nothing}</p>
          ) : (
            <ul className="card brief-rows">
              {entries.slice(0, shownDuties).map((entry) => (
                <Duty key={`${entry.taskId} ${entry.role}`} entry={entry} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  )
}

function Duty({ entry }: { entry: InboxEntry }) {
  const { taskId, title, urgent, duty } = entry
  const { todo } = describeInboxLine(entry)
  return (
    <li>
      <div className="stack tight">
        <b dir="auto">
          <Link href={`/tasks/${taskId}`}>{title === null ? text.privateTask : sanitizeText(title)}</Link>
        </b>
        <span className="small soft">{todo}</span>
      </div>
      <span className={duty ? 'pill turn' : 'pill'}>
        {urgent === null ? inboxText.anytime : <TimeLeft to={urgent} over={inboxText.over} />}
      </span>
    </li>
  )
}

/** The running tasks that the member posted or works on. */
function Live({ address, market }: { address: Address; market: Market }) {
  const live = useLiveTasks(address, market)
  return (
    <section className="stack" aria-labelledby="live">
      <div className="row between">
        <h2 id="live">{labels.live}</h2>
        <Link href="/work" className="row see-all">
          {labels.work} <ArrowRight size={16} aria-hidden="true" />
        </Link>
      </div>
      {!live && <Skeleton lines={4} />}
      {live?.length === 0 && (
        <div className="card pad stack">
          <p className="soft">{labels.noLive}</p>
          <p>
            <ButtonLink href="/tasks" size="small">
              {text.notFound.explore}
            </ButtonLink>
          </p>
        </div>
      )}
      {live && live.length > 0 && (
        <ul className="card brief-rows">
          {live.slice(0, shownLive).map((task) => (
            <li key={task.id}>
              <div className="stack tight">
                <b dir="auto">
                  <Link href={`/tasks/${task.id}`}>{nameTask(task)}</Link>
                </b>
                <span className="small soft">
                  {task.poster === address ? labels.posts : labels.works} · <Amount of={task.totalAmountTokWei} usd />
                </span>
              </div>
              <StatePill of={task} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
