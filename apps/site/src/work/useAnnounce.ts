import { describeWorkError } from './describeWorkError.ts'
import { loadEngine } from './loadEngine.ts'
import type { StoreInfo } from './useStore.ts'
import { useWorkKeys } from './useWorkKeys.ts'

/**
 * Has the wallet sign in, and makes its key known at the store, so that others can encrypt for it. If the store is down, it learns
 * the key at the next visit.
 */
export function useAnnounce(store: StoreInfo | null): () => Promise<void> {
  const { signIn } = useWorkKeys()
  return async () => {
    const keys = await signIn().catch((error: unknown) => {
      const { message, hint } = describeWorkError(error)
      throw new Error([message, hint].filter(Boolean).join(' '))
    })
    if (!store || !keys.statement) return
    const { getStoreConnection } = await loadEngine()
    await getStoreConnection(store, keys)
      .calls.putStatement(keys.statement)
      .catch(() => {})
  }
}
