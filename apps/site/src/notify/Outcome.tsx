import { useState } from 'react'
import { describeWorkError } from '../work/describeWorkError.ts'

/** What a call of the notifier led to. */
export const Outcome = ({ message, problem }: { message: string | null; problem: string | null }) => (
  <div role="status" className="outcome">
    {problem ? <p className="small loss-text">{problem}</p> : message && <p className="small">{message}</p>}
  </div>
)

/** Runs something that may fail. It returns what to say when it is done. */
export function useTask() {
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const run = async (work: () => Promise<string | null>): Promise<void> => {
    setBusy(true)
    setMessage(null)
    setProblem(null)
    try {
      setMessage(await work())
    } catch (error) {
      const { kind, message, hint } = describeWorkError(error)
      // The notifier says what is wrong; the words for stores do not fit.
      const reason = kind === 'unreachable' && error instanceof Error ? error.message : message
      setProblem([reason, hint].filter(Boolean).join(' '))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, message, problem, run }
}
