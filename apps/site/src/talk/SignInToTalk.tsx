import { talkText as labels } from '../text/talk.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { useWorkKeys } from '../work/useWorkKeys.ts'
import { useSending } from './useSending.ts'

/** Asks the wallet to sign in, so that messages can be encrypted for it. */
export function SignInToTalk() {
  const { signIn } = useWorkKeys()
  const { isBusy, problem, run } = useSending()
  return (
    <div className="stack">
      <p className="soft">{labels.signIn.description}</p>
      <Note tone="loss">{problem}</Note>
      <div>
        <Button look="primary" busy={isBusy} onClick={() => void run(signIn)}>
          {labels.signIn.button}
        </Button>
      </div>
    </div>
  )
}
