import type { OutputJson } from '@svc/operations'
import type { NotifierConnection } from '@svc/work'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useApi } from '../api.ts'
import { useLocation } from '../router.tsx'
import { getPageKey } from '../taskPath.ts'
import { useMarket } from '../useMarket.ts'
import { setTitlePrefix } from '../usePageTitle.ts'
import { loadEngine } from '../work/loadEngine.ts'
import { useWorkKeys } from '../work/useWorkKeys.ts'

export type NotificationRow = OutputJson<'listNotifications'>['notifications'][number]
export type SearchRow = OutputJson<'listSearches'>['searches'][number]
export type SubscriptionRow = OutputJson<'listSubscriptions'>['subscriptions'][number]

/** The URL of the notifier, before its routes: null if there is none, undefined until that is known. */
export function useNotifierUrl(): string | null | undefined {
  const { body } = useApi('getSiteConfig', { market: useMarket() })
  if (!body) return undefined
  return body.notifier && new URL(body.notifier.url, location.origin).href.replace(/\/notify\/?$/, '')
}

let connected: { name: string; notifier: Promise<NotifierConnection> } | undefined

/** The notifier with a session of the connected wallet, once the wallet has signed in on this device. */
export function useNotifier() {
  const baseUrl = useNotifierUrl()
  const { keys, isSignedIn, wallet, signIn } = useWorkKeys()
  const isReady = Boolean(baseUrl && keys && isSignedIn)
  /** The same wallet keeps its session until it signs in again. */
  const connect = (): Promise<NotifierConnection> => {
    if (!baseUrl || !keys) throw new Error('The wallet has not signed in.')
    const name = [baseUrl, keys.wallet, keys.statement?.signature].join()
    if (connected?.name !== name) {
      const now = () => Math.floor(Date.now() / 1000)
      const notifier = loadEngine().then(({ connectNotifier }) =>
        connectNotifier({ baseUrl, keys, now, fetch: (request) => fetch(request) }),
      )
      connected = { name, notifier }
    }
    return connected.notifier
  }
  return { baseUrl, wallet, isReady, isKnown: baseUrl !== undefined && keys !== undefined, connect, signIn }
}

// Not strings, so that events of the market do not read them again.
const nameList = (wallet: string | undefined) => [{ notifications: wallet }]
const nameTargets = (wallet: string | undefined) => [{ subscriptions: wallet }]

/** The newest notifications, read again now and then. The number of unread ones is in the title of the tab. */
export function useNotifications() {
  const { wallet, isReady, connect } = useNotifier()
  const queries = useQueryClient()
  const { data, error } = useQuery({
    queryKey: nameList(wallet),
    enabled: isReady,
    queryFn: async () => (await (await connect()).listNotifications({ limit: 20 })).body,
    refetchInterval: 20_000,
    refetchOnWindowFocus: true,
    retry: 1,
  })
  const unread = (isReady && data?.unread) || 0
  useEffect(() => {
    setTitlePrefix(unread > 0 ? `(${unread > 99 ? '99+' : unread}) ` : '')
    return () => setTitlePrefix('')
  }, [unread])
  const acknowledge = async (what: { ids: string[] } | { upTo: string }) => {
    await (await connect()).acknowledgeNotifications(what)
    await queries.invalidateQueries({ queryKey: nameList(wallet) })
  }
  return {
    notifications: isReady ? data?.notifications : undefined,
    unread,
    error,
    acknowledge,
    markRead: async () => {
      if (data) await acknowledge({ upTo: data.cursor })
    },
  }
}

/** Marks what is about the task of the open page as read: its owner is looking at it. */
export function useReadOnVisit({ notifications, acknowledge }: ReturnType<typeof useNotifications>) {
  const page = getPageKey(useLocation().pathname)
  const ids = (notifications ?? [])
    .filter(({ taskId, acknowledged }) => !acknowledged && taskId && page === `/tasks/${taskId}`)
    .map(({ id }) => id)
  const name = ids.join()
  const read = useEffectEvent((all: string[]) => void acknowledge({ ids: all }).catch(() => {}))
  useEffect(() => {
    if (name !== '' && document.visibilityState === 'visible') read(name.split(','))
  }, [name])
}

/** Where the wallet's notifications go, and what the notifier can do. */
export function useSubscriptions() {
  const { wallet, isReady, connect } = useNotifier()
  const queries = useQueryClient()
  const { data, error, isPending, isFetching, refetch } = useQuery({
    queryKey: nameTargets(wallet),
    enabled: isReady,
    // A link in an e-mail is opened in another tab.
    refetchOnWindowFocus: true,
    retry: 1,
    queryFn: async () => {
      const notifier = await connect()
      const [{ body: list }, { body: saved }, { body: info }] = await Promise.all([
        notifier.listSubscriptions({}),
        notifier.listSearches({}),
        notifier.getNotifier({}),
      ])
      const { channels, kinds, pushKey } = info
      return { subscriptions: list.subscriptions, searches: saved.searches, channels, kinds, pushKey }
    },
  })
  return {
    found: { body: data, error, isPending, isFetching, refetch, stale: false },
    /** Runs a call, then reads the list again. */
    change: async <T>(call: (notifier: NotifierConnection) => Promise<{ body: T }>): Promise<T> => {
      try {
        return (await call(await connect())).body
      } finally {
        await queries.invalidateQueries({ queryKey: nameTargets(wallet) })
      }
    },
  }
}

/** Returns a function that takes the token of a confirmation e-mail, then shows the list with the confirmed address. Needs no session. */
export function useVerification(baseUrl: string): (token: string) => Promise<void> {
  const { wallet } = useNotifier()
  const queries = useQueryClient()
  return async (token) => {
    const { connectNotifier } = await loadEngine()
    const now = () => Math.floor(Date.now() / 1000)
    await connectNotifier({ baseUrl, now, fetch: (request) => fetch(request) }).verifySubscription({ token })
    await queries.invalidateQueries({ queryKey: nameTargets(wallet) })
  }
}
