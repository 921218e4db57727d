import type { TaskDetailJson } from '@svc/client'
import { findAskedJudge } from '@svc/protocol/internal/records'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Address, getAddress, isAddressEqual } from 'viem'
import { contracts } from '../deployments.ts'
import { listSealedBundles } from '../work/briefBundles.ts'
import { listReferences } from '../work/listReferences.ts'
import { loadEngine } from '../work/loadEngine.ts'
import { useStore } from '../work/useStore.ts'
import { createSigning, useWorkKeys } from '../work/useWorkKeys.ts'
import { announceBundles } from './announceBundles.ts'

const pollMs = 15_000
const nobody: readonly Address[] = []

/**
 * Shares the work of a task with those who could not open it when it was sent: the other party, and in a dispute the judges and the
 * clerk of the store, who passes it on to judges that are seated later. Runs for a party that is signed in, and asks nothing:
 * on the page of the task, and on every other page for tasks that wait (`ShareWork`). Returns who has never signed in, and so has no key: they are waited for.
 */
export function useWorkSharing(task: TaskDetailJson): readonly Address[] {
  const store = useStore(task.market)
  const { keys, isSignedIn, wallet } = useWorkKeys()
  const parties = [task.poster, task.worker].flatMap((each) => (each ? [getAddress(each)] : []))
  const isParty = wallet !== undefined && parties.some((each) => isAddressEqual(each, wallet))
  const others = parties.filter((each) => each !== wallet)
  const isDisputed = task.dispute !== null && task.dispute.phase !== 'CLOSED'
  const judges = isDisputed ? listJudges(task) : []
  const references = isParty ? listReferences(task) : []
  const isPoster = wallet !== undefined && isAddressEqual(wallet, getAddress(task.poster))
  const sealed = isParty ? (task.text?.files ?? []).filter(({ sha256 }) => sha256 === undefined) : []
  const isOpen = task.phase !== 'SETTLED'
  const { data } = useQuery({
    queryKey: [
      { share: references.map(({ hash }) => hash), with: [others, judges], by: keys?.statement?.signature ?? null },
    ],
    enabled: isSignedIn && Boolean(store) && (references.length > 0 || (sealed.length > 0 && isOpen)),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 2,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => (state.data?.isWaiting ? pollMs : false),
    queryFn: async () => {
      if (!store || !keys) return { waiting: nobody, isWaiting: false }
      const { getStoreConnection, findKnownReaders, findCourtReaders, grantTaskBundles } = await loadEngine()
      const connection = getStoreConnection(store, keys)
      const signing = await createSigning(keys.wallet)
      // Nobody can be given the files of the brief yet.
      if (sealed.length > 0 && references.length === 0 && !task.worker) return { waiting: nobody, isWaiting: isPoster }
      const briefs = sealed.length > 0 ? await listSealedBundles(task, sealed, connection) : []
      const all = [...references, ...briefs]
      const own = all.filter(({ author }) => isAddressEqual(author, keys.wallet))
      const { readers, waiting } = await findKnownReaders(connection, own.length > 0 ? others : [], signing)
      await grantTaskBundles(connection, own, readers)
      const court = isDisputed ? await findCourtReaders(connection, judges, signing) : { readers: [], waiting: [] }
      await grantTaskBundles(connection, all, court.readers)
      if (isPoster && task.worker && waiting.length === 0) await announceBundles(task, briefs, store, keys)
      const isUnsent = isPoster && sealed.length > 0 && briefs.length === 0
      return { waiting, isWaiting: isUnsent || waiting.length + court.waiting.length > 0 }
    },
  })
  const isWaiting = data?.isWaiting
  useEffect(() => {
    if (wallet && isWaiting !== undefined) rememberSharing(wallet, task.id, isWaiting)
  }, [wallet, task.id, isWaiting])
  return data?.waiting ?? nobody
}

const name = (wallet: string) => `sharing-${wallet}`.toLowerCase()

/** Lists the tasks of a wallet whose work waits on this device for somebody's key, the newest first. */
export function listSharing(wallet: string): readonly string[] {
  try {
    return (localStorage.getItem(name(wallet)) ?? '').split(' ').filter(Boolean)
  } catch {
    return []
  }
}

function rememberSharing(wallet: string, taskId: string, isWaiting: boolean): void {
  const others = listSharing(wallet).filter((each) => each !== taskId)
  try {
    localStorage.setItem(name(wallet), (isWaiting ? [taskId, ...others] : others).join(' '))
  } catch {
    // Without storage, it is shared from the page of the task.
  }
}

/** Who judges now or is asked to by both sides: the judge, and the final court once the case is there. */
function listJudges({ dispute, market }: TaskDetailJson) {
  const { finalCourt } = contracts[market]
  const judges = [dispute?.judge ?? findAskedJudge(dispute), dispute?.phase === 'COURT' ? finalCourt : null]
  return judges.flatMap((judge) => (judge ? [getAddress(judge)] : []))
}
