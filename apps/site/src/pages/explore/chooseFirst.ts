interface Candidate {
  tags?: readonly string[] | undefined
  totalAmountTokWei: string
  fundedTokWei: string
}

/**
 * Chooses the two tasks that come first: those most like what the visitor has finished, by tags; then, and for everybody else, the
 * best paid. A task whose pay is not locked comes after the others.
 */
export function chooseFirst<T extends Candidate>(tasks: readonly T[], finished: readonly Pick<Candidate, 'tags'>[]) {
  return tasks
    .map((task) => ({
      task,
      pay: BigInt(task.totalAmountTokWei),
      isLocked: BigInt(task.fundedTokWei) >= BigInt(task.totalAmountTokWei),
      /** How many finished tasks have a tag of it. */
      alike: finished.filter(({ tags = [] }) => tags.some((tag) => task.tags?.includes(tag))).length,
    }))
    .toSorted(
      (a, b) =>
        Number(b.isLocked) - Number(a.isLocked) || b.alike - a.alike || (a.pay === b.pay ? 0 : a.pay < b.pay ? 1 : -1),
    )
    .slice(0, 2)
}
