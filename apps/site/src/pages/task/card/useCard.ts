import type { TaskDetailJson } from '@svc/client'
import { useApi } from '../../../api.ts'
import { hasPool } from '../../../deployments.ts'
import { useTalk } from '../../../talk/useTalk.ts'
import { useWorkSharing } from '../../../talk/useWorkSharing.ts'
import { cardText } from '../../../text/card.ts'
import { formatShort, formatUsd } from '../../../ui/Amount.tsx'
import { formatMoment, formatTimeSpan } from '../../../ui/formatMoment.ts'
import { useNow } from '../../../ui/Time.tsx'
import { getFirstName, useName } from '../../../usePerson.ts'
import { usePrice } from '../../../usePrice.ts'
import type { Viewer } from '../viewer.ts'
import { buildCard } from './buildCard.ts'
import { findMissing } from './findMissing.ts'
import type { BlockedEntry, Card, CardTalk } from './types.ts'

/** The card of a task for the connected wallet; null until it is known what the wallet can do. */
export function useCard(
  task: TaskDetailJson,
  viewer: Viewer,
  wallet: string | undefined,
): { card: Card | null; blocked: readonly BlockedEntry[] } {
  const found = useApi('listSteps', { id: task.id, address: wallet ?? '' }, wallet !== undefined)
  // Only before there is a worker does it matter what the wallet holds.
  const isCandidate = wallet !== undefined && viewer !== 'poster' && task.phase === 'OPEN_FOR_CLAIM'
  const own = useApi('getWallet', { address: wallet ?? '', market: task.market }, isCandidate)
  const now = useNow()
  const price = usePrice()
  const { threads } = useTalk(task)
  const waiting = useWorkSharing(task)
  const judge =
    task.dispute?.judge ?? task.dispute?.named ?? task.dispute?.workerProposal ?? task.dispute?.posterProposal
  const people = {
    poster: useName(task.poster),
    worker: useName(task.worker),
    judge: useName(judge ?? undefined),
  }
  const call = (part: keyof typeof people) => (people[part] ? getFirstName(people[part]) : cardText.names[part])
  const names = { poster: call('poster'), worker: call('worker'), judge: call('judge') }
  if ((wallet && !found.body) || (isCandidate && !own.body)) return { card: null, blocked: [] }
  const { steps = [], blocked = [] } = wallet ? (found.body ?? {}) : {}
  const card = buildCard({
    task,
    wallet,
    viewer,
    steps,
    blocked,
    talk: threads ? summarizeTalk(threads, viewer, now) : null,
    isUnread: waiting.length > 0,
    names,
    canSwap: hasPool,
    missing: own.body ? findMissing(own.body, price, hasPool) : null,
    now,
    money: (wei) => (price ? formatUsd(wei, price) : formatShort(wei, 'tok')),
    at: (moment) => formatMoment(moment, now),
    span: formatTimeSpan,
  })
  return { card, blocked }
}

function summarizeTalk(
  threads: NonNullable<ReturnType<typeof useTalk>['threads']>,
  viewer: Viewer,
  now: number,
): CardTalk {
  const readPermit = ({ status: { permit } }: (typeof threads)[number]) => {
    const end = permit ? Number(permit.permit.expiry) : 0
    return end > now ? end : null
  }
  const applied = threads.filter(({ status }) => status.application !== null)
  if (viewer === 'poster') {
    const applicants = applied.filter((each) => readPermit(each) === null).length
    return { applicants, hasApplied: false, chosenUntil: null }
  }
  const [own] = threads
  return { applicants: 0, hasApplied: applied.length > 0, chosenUntil: own ? readPermit(own) : null }
}
