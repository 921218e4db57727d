import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { useWallet } from '../wallet/useWallet.ts'
import { findFirstUnread, type Written } from './written.ts'

/** How many messages of each conversation this device has shown, by wallet and conversation. */
const name = (wallet: string, conversation: string) => `seen-${wallet}-${conversation}`.toLowerCase()

/** What was read while the page is open, also without storage. */
const shown = new Map<string, number>()
const recall = (key: string): number => {
  try {
    return Math.max(shown.get(key) ?? 0, Number(localStorage.getItem(key)) || 0)
  } catch {
    return shown.get(key) ?? 0
  }
}
const remember = (key: string, count: number) => {
  shown.set(key, count)
  try {
    localStorage.setItem(key, String(count))
  } catch {
    // Without storage, it is read until the page closes.
  }
}

const listeners = new Set<() => void>()
let version = 0
const announce = () => {
  version++
  for (const hear of listeners) hear()
}
const subscribe = (hear: () => void) => {
  listeners.add(hear)
  addEventListener('storage', announce)
  return () => {
    listeners.delete(hear)
    if (listeners.size === 0) removeEventListener('storage', announce)
  }
}

/** Marks a conversation as read while it is in view. */
export function useReading(written: Written): void {
  const { markRead } = useUnread()
  const read = useEffectEvent(() => {
    if (document.visibilityState === 'visible') markRead(written)
  })
  const { length } = written.senders
  // Also what arrives later.
  useEffect(() => {
    if (length > 0) read()
    const hear = () => read()
    addEventListener('visibilitychange', hear)
    return () => removeEventListener('visibilitychange', hear)
  }, [length])
}

/** What the connected wallet has read on this device. The same everywhere on the page, and in every tab. */
export function useUnread() {
  const { address = '' } = useWallet()
  useSyncExternalStore(subscribe, () => version)
  const findFirst = ({ id, senders }: Written) => findFirstUnread(senders, address, recall(name(address, id)))
  const count = (written: Written) => Math.max(0, written.senders.length - findFirst(written))
  return {
    /** The place of the first unread message; the number of all if there is none. */
    findFirst,
    count,
    countAll: (all: readonly Written[]) => all.reduce((sum, each) => sum + count(each), 0),
    markRead: (written: Written) => {
      if (count(written) === 0) return
      remember(name(address, written.id), written.senders.length)
      announce()
    },
  }
}
