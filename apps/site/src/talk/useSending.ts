import { useState } from 'react'
import { describeWorkError } from '../work/describeWorkError.ts'

/** Runs what is sent, one at a time, and says what went wrong. Returns whether it was sent. */
export function useSending() {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const run = async (act: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true)
    setProblem(null)
    try {
      await act()
      return true
    } catch (error) {
      const { message, hint } = describeWorkError(error)
      setProblem([message, hint].filter(Boolean).join(' '))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, problem, run }
}
