/** A conversation as far as unread messages go: who wrote each, the oldest first. */
export interface Written {
  id: string
  senders: readonly string[]
}

/** Finds the first message that the wallet has not read. Whoever answers has read what stands before the answer. */
export function findFirstUnread(senders: readonly string[], wallet: string, shown: number): number {
  const isOwn = (sender: string) => sender.toLowerCase() === wallet.toLowerCase()
  return Math.max(shown, senders.findLastIndex(isOwn) + 1)
}
