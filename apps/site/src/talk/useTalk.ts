import type { TaskDetailJson } from '@svc/client'
import type { Market } from '@svc/protocol'
import type { DeviceKeys, Talk, TalkNegotiation, TalkThread } from '@svc/work'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { talkText } from '../text/talk.ts'
import type { WalletProvider } from '../wallet/provider.ts'
import { type StoreInfo, useStore } from '../work/useStore.ts'
import { getProvider, useWorkKeys } from '../work/useWorkKeys.ts'
import type { Written } from './written.ts'

/** Loads what signs and encrypts messages. */
export const loadTalkEngine = () => import('./talkEngine.ts')

/** How often the mailbox is asked: while somebody talks, and while only a number depends on it. A hidden tab does not ask. */
const [talkingMs, restingMs] = [10_000, 60_000]
const nobody: readonly string[] = []

/** The conversations of the connected wallet about a task. */
export function useTalk(task: TaskDetailJson, isTalking = false) {
  const { data, ...talk } = useMailbox('threads', task.market, task, isTalking, async (open) =>
    (await open.listThreads()).filter(({ thread }) => thread.subject.taskId === task.id),
  )
  return { ...talk, threads: data }
}

/** Who wrote what in a conversation about a task. */
export const toWritten = ({ thread: { subject, messages } }: TalkThread): Written => ({
  id: `${subject.taskId} ${subject.other}`,
  senders: messages.map(({ message }) => message.sender),
})

/** The same of a negotiation. */
export const toWrittenOffer = ({ state, messages }: TalkNegotiation): Written => ({
  id: state.negotiationId,
  senders: messages.map(({ envelope }) => envelope.sender.evmAddress),
})

/** The negotiations of the connected wallet about private tasks of a market. */
export function useOffers(market: Market) {
  const { data, ...talk } = useMailbox('offers', market, null, true, async (open) =>
    (await open.listNegotiations()).filter(({ state }) => state.terms.market === market),
  )
  return { ...talk, offers: data }
}

/** All conversations of the connected wallet in the mailbox of a market's store, the last one first. */
export function useConversations(market: Market, isTalking = false) {
  const { data, ...talk } = useMailbox('conversations', market, null, isTalking, async (open) => {
    const [threads, offers] = [await open.listThreads(), await open.listNegotiations()]
    return [
      ...threads.flatMap((talkThread) => {
        const {
          thread: { subject, messages },
          status: { turn },
          me,
        } = talkThread
        const last = messages.at(-1)?.message
        if (!last) return []
        const other = me === 'poster' ? subject.other : subject.poster
        const isYourTurn = turn === null ? null : turn === me || turn === 'both'
        const written = toWritten(talkThread)
        return [{ taskId: subject.taskId, other, isYourTurn, written, at: Date.parse(last.timestamp) / 1000 }]
      }),
      ...offers.flatMap((offer) => {
        const { state, turn, messages } = offer
        const { negotiationId, terms, parties } = state
        const last = messages.at(-1)?.envelope
        if (!last) return []
        const me = parties.poster === open.mailbox.wallet ? 'poster' : 'worker'
        const other = parties[me === 'poster' ? 'worker' : 'poster']
        const isYourTurn = turn === null ? null : turn === me
        const written = toWrittenOffer(offer)
        return [{ negotiationId, terms, other, isYourTurn, written, at: Date.parse(last.timestamp) / 1000 }]
      }),
    ].toSorted((a, b) => b.at - a.at)
  })
  return { ...talk, conversations: data }
}

export type Conversation = NonNullable<ReturnType<typeof useConversations>['conversations']>[number]

export type TaskTalk = Pick<ReturnType<typeof useTalk>, 'send' | 'store'>

function useMailbox<T>(
  what: 'threads' | 'offers' | 'conversations',
  market: Market,
  task: TaskDetailJson | null,
  isTalking: boolean,
  read: (talk: Talk) => Promise<T>,
) {
  const store = useStore(market)
  const { keys, isSignedIn, wallet } = useWorkKeys()
  const queries = useQueryClient()
  // Not a string, so that events of the market do not read them again.
  const queryKey = [{ mailbox: what, about: task?.id ?? market, wallet, of: keys?.statement?.signature }]
  const readAll = async (talk: Talk) => ({ value: await read(talk), waiting: await talk.mailbox.listWaiting() })
  const found = useQuery({
    queryKey,
    enabled: Boolean(store && keys && isSignedIn),
    refetchInterval: isTalking ? talkingMs : restingMs,
    staleTime: talkingMs,
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
