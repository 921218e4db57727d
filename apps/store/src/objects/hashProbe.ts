/** What an engine did with bytes that do not have the signed hash; null if it could not be asked. */
export type AskEngine = () => Promise<'refused' | 'stored' | null>

/** An engine can be replaced or put behind a proxy while the store runs. */
const validMs = 10 * 60 * 1_000

/**
 * Finds out whether an engine compares bytes with their signed hash, as S3 requires, by sending it wrong ones. Returns a
 * function that says what is known now and never waits: until the engine has refused wrong bytes, and when that was
 * too long ago, it says no.
 */
export function createHashProbe(askEngine: AskEngine, now: () => number = Date.now): () => boolean {
  let known: { checks: boolean; at: number } | null = null
  let asking = false
  const ask = async () => {
    asking = true
    const answer = await askEngine().catch(() => null)
    if (answer !== null) known = { checks: answer === 'refused', at: now() }
    asking = false
  }
  return () => {
    const age = known ? now() - known.at : Number.POSITIVE_INFINITY
    // Half-way, so that an engine that checks is asked again before the answer is too old.
    if (age > validMs / 2 && !asking) void ask()
    return known?.checks === true && age <= validMs
  }
}
