import type { Market } from '@svc/protocol'
import { CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
import { useApi } from '../../api.ts'
import { text } from '../../text/post.ts'
import { CopyButton } from '../../ui/Address.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { SaveKeyNotice } from '../../work/SaveKeyNotice.tsx'

const labels = text.posted

interface PostedProps {
  market: Market
  address: string
  /** Called once. */
  onShown: () => void
  onAnother: () => void
}

/** What is shown once the task is on the chain: its link, to open and to share. */
export function Posted({ market, address, onShown, onAnother }: PostedProps) {
  // The read waits for the block of the post, so the newest task is the one that was just posted.
  const { body } = useApi('listTasksByPoster', { market, address, limit: 1 })
  const id = body?.tasks[0]?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft is cleared once
  useEffect(onShown, [])
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
          <span className="row">
            <span className="code small">{`${location.origin}/tasks/${id}`}</span>
            <CopyButton value={`${location.origin}/tasks/${id}`} label={labels.share} />
          </span>
        </div>
      )}
      <SaveKeyNotice />
      <div>
        <Button look="quiet" onClick={onAnother}>
          {labels.another}
        </Button>
      </div>
    </section>
  )
}
