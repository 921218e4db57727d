import { useState } from 'react'
import { describeWorkError } from '../work/describeWorkError.ts'

/** What a call of the notifier led to. */
export const Outcome = ({ says, problem }: { says: string | null; problem: string | null }) => (
  <div role="status" className="outcome">
    {problem ? <p className="small loss-text">{problem}</p> : says && <p className="small">{says}</p>}
  </div>
)

/** Runs something that may fail. It returns what to say when it is done. */
export function useTask() {
  const [isBusy, setBusy] = useState(false)
  const [says, setSays] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const run = async (work: () => Promise<string | null>): Promise<void> => {
    setBusy(true)
    setSays(null)
    setProblem(null)
    try {
      setSays(await work())
    } catch (error) {
      const { kind, says, hint } = describeWorkError(error)
      // The notifier says what is wrong; the words for stores do not fit.
      const own = kind === 'unreachable' && error instanceof Error ? error.message : says
      setProblem([own, hint].filter(Boolean).join(' '))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, says, problem, run }
}
