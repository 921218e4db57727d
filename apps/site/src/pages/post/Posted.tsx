import type { Market } from '@svc/protocol'
import { CircleCheck } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Address } from 'viem'
import { useApi } from '../../api.ts'
import { postedText as labels } from '../../text/postReview.ts'
import { CopyButton } from '../../ui/Address.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { SaveKeyNotice } from '../../work/SaveKeyNotice.tsx'

// What encrypts is loaded only for tasks with files.
const PostedFiles = lazy(async () => ({ default: (await import('./PostedFiles.tsx')).PostedFiles }))

// Signing and its schema are loaded only by those who are asked.
const AskName = lazy(async () => ({ default: (await import('../../notify/AskName.tsx')).AskName }))

interface PostedProps {
  market: Market
  address: Address
  /** Whether files have to be sent. */
  hasFiles: boolean
  /** Called once. */
  onShown: () => void
  onAnother: () => void
}

/** What is shown once the task is on the chain: its link, to open and to share. */
export function Posted({ market, address, hasFiles, onShown, onAnother }: PostedProps) {
  // The draft is cleared at once.
  const [sendsFiles] = useState(hasFiles)
  // The read waits for the block of the post, so the newest task is the one that was just posted.
  const { body } = useApi('listTasksByPoster', { market, address, limit: 1 })
  const id = body?.tasks[0]?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft is cleared once
  useEffect(() => {
    onShown()
    // The receipt was further down.
    window.scrollTo(0, 0)
  }, [])
  return (
    <section className="card pad stack posted" role="status">
      <CircleCheck size={40} aria-hidden="true" />
      <h1>{labels.title}</h1>
      <p className="soft">{id ? labels.description : labels.waiting}</p>
      {id && (
        <div className="row wrapping">
          <ButtonLink look="primary" href={`/tasks/${id}`}>
            {labels.open}
          </ButtonLink>
          <span className="row small soft">
            {labels.share}
            <CopyButton value={`${location.origin}/tasks/${id}`} label={labels.share} />
          </span>
        </div>
      )}
      {id && sendsFiles && (
        <Suspense>
          <PostedFiles id={id} />
        </Suspense>
      )}
      <SaveKeyNotice />
      {id && (
        <Suspense>
          <AskName wallet={address} />
        </Suspense>
      )}
      <div>
        <Button look="quiet" onClick={onAnother}>
          {labels.another}
        </Button>
      </div>
    </section>
  )
}
