import { type ReactNode, useState } from 'react'
import { notificationsText } from '../text/notifications.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { describeWorkError } from '../work/describeWorkError.ts'
import { useNotifier } from './useNotifier.ts'

const labels = notificationsText.signIn

/** Shows what needs a session at the notifier, or how to get one. */
export function RequireSession({ lines, children }: { lines: number; children: () => ReactNode }) {
  const { isReady, isKnown } = useNotifier()
  if (!isKnown) return <Skeleton lines={lines} />
  if (isReady) return children()
  return (
    <div className="card pad">
      <SignInNotice />
    </div>
  )
}

/** Asks the wallet to sign in: without it, anyone could read its notifications. */
export function SignInNotice() {
  const { signIn } = useNotifier()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const start = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await signIn()
    } catch (error) {
      setProblem(describeWorkError(error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="stack sign-in-notice">
      <p className="small soft">{labels.description}</p>
      <Note tone="loss">{problem}</Note>
      <div>
        <Button look="primary" busy={isBusy} onClick={() => void start()}>
          {labels.button}
        </Button>
      </div>
    </div>
  )
}
