import type { Market } from '@svc/protocol'
import type { ExpectedBundle } from '@svc/protocol/work'
import { useQuery } from '@tanstack/react-query'
import { loadEngine } from './loadEngine.ts'
import { useStore } from './useStore.ts'
import { useWorkKeys } from './useWorkKeys.ts'

const pollMs = 15_000

/** Counts which bundles this device can open. Null if the wallet has to sign in first; undefined until it is known. */
export function useOpenable(market: Market, references: readonly ExpectedBundle[]) {
  const store = useStore(market)
  const { keys, isSignedIn } = useWorkKeys()
  const { data } = useQuery({
    queryKey: [{ openable: references.map(({ hash }) => hash), by: keys?.statement?.signature ?? null }],
    enabled: Boolean(store) && isSignedIn && references.length > 0,
    retry: 2,
    refetchInterval: ({ state }) => (state.data && state.data.readable === state.data.all ? false : pollMs),
    queryFn: async () => {
      if (!store || !keys) return null
      const { getStoreConnection, inspectBundle } = await loadEngine()
      const connection = getStoreConnection(store, keys)
      const all = [...new Map(references.map((each) => [each.hash, each])).values()]
      let readable = 0
      for (const each of all) if ((await inspectBundle(connection, each)) === 'readable') readable++
      return { readable, all: all.length }
    },
  })
  return keys !== undefined && !isSignedIn ? null : (data ?? undefined)
}
