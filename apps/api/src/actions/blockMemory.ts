/** Keeps answers that are true at one block of one provider, also while they are read: the same question about the same block is read once. */
export type BlockMemory = <T>(block: string, key: string, read: () => Promise<T>) => Promise<T>

/** Keeps at most `max` answers, the newest. A failure is not kept. */
export function createBlockMemory(max = 1_000): BlockMemory {
  const answers = new Map<string, Promise<unknown>>()
  return <T>(block: string, key: string, read: () => Promise<T>) => {
    const name = `${block} ${key}`
    // The key says which question it is, and so which type its answer has.
    const found = answers.get(name) as Promise<T> | undefined
    if (found) return found
    const answer = read()
    answer.catch(() => answers.delete(name))
    answers.set(name, answer)
    const [oldest] = answers.keys()
    if (answers.size > max && oldest !== undefined) answers.delete(oldest)
    return answer
  }
}
