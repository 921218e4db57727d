import { text } from '../text/common.ts'
import { talkText as labels } from '../text/talk.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Note } from '../ui/Note.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { describeWorkError } from '../work/describeWorkError.ts'
import type { StoreInfo } from '../work/useStore.ts'
import { SignInToTalk } from './SignInToTalk.tsx'

interface TalkPlaceholderProps {
  /** Null if the market has none; undefined until that is known. */
  store: StoreInfo | null | undefined
  needsSignIn: boolean | undefined
  error: Error | null
  refetch: () => void
}

/** What is shown until messages are loaded: what is missing, the way to sign in, or what went wrong. */
export function TalkPlaceholder({ store, needsSignIn, error, refetch }: TalkPlaceholderProps) {
  if (store === null) return <Empty>{labels.noStore}</Empty>
  if (store === undefined || needsSignIn === undefined) return <Skeleton lines={4} />
  if (needsSignIn) return <SignInToTalk />
  if (!error) return <Skeleton lines={4} />
  return (
    <Note tone="loss">
      <p>{describeWorkError(error).message}</p>
      <Button size="small" onClick={refetch}>
        {text.tryAgain}
      </Button>
    </Note>
  )
}
