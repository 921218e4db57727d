import type { TaskDetailJson } from '@svc/client'
import type { Market } from '@svc/protocol'
import type { DeviceKeys, Talk, TalkThread } from '@svc/work'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { talkText } from '../text/talk.ts'
import type { WalletProvider } from '../wallet/provider.ts'
import { type StoreInfo, useStore } from '../work/useStore.ts'
import { getProvider, useWorkKeys } from '../work/useWorkKeys.ts'

/** Loads what signs and encrypts messages. */
export const loadTalkEngine = () => import('./talkEngine.ts')

const pollMs = 10_000
const nobody: readonly string[] = []

/** The conversations of the connected wallet about a task. */
export function useTalk(task: TaskDetailJson) {
  const { data, ...talk } = useMailbox(task.market, task, async (open) =>
    (await open.listThreads()).filter(({ thread }) => thread.subject.taskId === task.id),
  )
  return { ...talk, threads: data }
}

/** Whether a conversation waits for the user. */
export const isYourTurn = ({ status: { turn }, me }: Pick<TalkThread, 'status' | 'me'>): boolean =>
  turn === me || turn === 'both'

/** The negotiations of the connected wallet about private tasks of a market. */
export function useOffers(market: Market) {
  const { data, ...talk } = useMailbox(market, null, async (open) =>
    (await open.listNegotiations()).filter(({ state }) => state.terms.market === market),
  )
  return { ...talk, offers: data }
}

/** All conversations of the connected wallet in the mailbox of a market's store, the last one first. */
export function useConversations(market: Market) {
  const { data, ...talk } = useMailbox(market, null, async (open) => {
    const [threads, offers] = [await open.listThreads(), await open.listNegotiations()]
    return [
      ...threads.flatMap(({ thread: { subject, messages }, status: { turn }, me }) => {
        const last = messages.at(-1)?.message
        if (!last) return []
        const other = me === 'poster' ? subject.other : subject.poster
        const isYourTurn = turn === null ? null : turn === me || turn === 'both'
        return [{ kind: last.type, taskId: subject.taskId, other, isYourTurn, at: Date.parse(last.timestamp) / 1000 }]
      }),
      ...offers.flatMap(({ state: { negotiationId, terms, parties }, turn, messages }) => {
        const last = messages.at(-1)?.envelope
        if (!last) return []
        const me = parties.poster === open.mailbox.wallet ? 'poster' : 'worker'
        const other = parties[me === 'poster' ? 'worker' : 'poster']
        const isYourTurn = turn === null ? null : turn === me
        return [{ negotiationId, terms, other, isYourTurn, at: Date.parse(last.timestamp) / 1000 }]
      }),
    ].toSorted((a, b) => b.at - a.at)
  })
  return { ...talk, conversations: data }
}

export type Conversation = NonNullable<ReturnType<typeof useConversations>['conversations']>[number]

export type TaskTalk = Pick<ReturnType<typeof useTalk>, 'send' | 'store'>

function useMailbox<T>(market: Market, task: TaskDetailJson | null, read: (talk: Talk) => Promise<T>) {
  const store = useStore(market)
  const { keys, isSignedIn, wallet } = useWorkKeys()
  const queries = useQueryClient()
  // Not a string, so that events of the market do not read them again.
  const queryKey = [{ mailbox: task?.id ?? market, wallet, of: keys?.statement?.signature }]
  const readAll = async (talk: Talk) => ({ value: await read(talk), waiting: await talk.mailbox.listWaiting() })
  const found = useQuery({
    queryKey,
    enabled: Boolean(store && keys && isSignedIn),
    refetchInterval: pollMs,
    retry: false,
    queryFn: async () => {
      const talk = await open(task, store, keys)
      await talk.mailbox.sync()
      return readAll(talk)
    },
  })
  return {
    /** Null if the market has none; undefined until that is known. */
    store,
    wallet,
    keys,
    /** Whether the wallet must sign in first; undefined until that is known. */
    needsSignIn: keys === undefined ? undefined : !isSignedIn,
    data: found.data?.value,
    /** Who has never signed in: messages to them are kept on this device until they do. */
    waiting: found.data?.waiting ?? nobody,
    error: found.error,
    refetch: () => void found.refetch(),
    /** Sends something, and shows it. */
    send: async (act: (talk: Talk, provider: WalletProvider) => Promise<unknown>): Promise<void> => {
      const talk = await open(task, store, keys)
      await act(talk, await getProvider())
      queries.setQueryData(queryKey, await readAll(talk))
    },
  }
}

async function open(
  task: TaskDetailJson | null,
  store: StoreInfo | null | undefined,
  keys: DeviceKeys | null | undefined,
) {
  if (!store || !keys) throw new Error(talkText.noWallet)
  const [{ openTalk }, provider] = await Promise.all([loadTalkEngine(), getProvider()])
  return openTalk(task, store, keys, provider)
}
