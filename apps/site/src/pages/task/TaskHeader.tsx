import type { TaskDetailJson } from '@svc/client'
import { sanitizeText } from '@svc/protocol'
import { Check, Link2, Lock } from 'lucide-react'
import { useState } from 'react'
import { AddressLink } from '../../parts/AddressLink.tsx'
import { TagLink } from '../../parts/TagLink.tsx'
import { text } from '../../text/common.ts'
import { taskText } from '../../text/task.ts'
import { Button } from '../../ui/Button.tsx'
import { Time } from '../../ui/Time.tsx'
import type { Viewer } from './viewer.ts'

/** Tags, title, and the wallet that the user deals with. */
export function TaskHeader({ task, viewer }: { task: TaskDetailJson; viewer: Viewer }) {
  const isOpen = task.phase === 'OPEN_FOR_CLAIM'
  return (
    <header className="task-head stack">
      <div className="row wrapping small soft task-tags">
        <span className="tag">{text.market[task.market]}</span>
        {task.scope === 'PRIVATE' ? (
          <span className="tag">
            <Lock size={13} aria-hidden="true" /> {text.privateTask}
          </span>
        ) : (
          isOpen && task.claimPolicy === 'PERMIT' && <span className="tag">{taskText.applyFirst}</span>
        )}
        {task.text?.tags?.map((tag) => (
          <TagLink key={tag} tag={tag} market={task.market} />
        ))}
        <span>
          {taskText.posted} <Time at={task.postedAt} />
        </span>
        <ShareButton />
      </div>
      <h1 dir="auto">{task.text ? sanitizeText(task.text.title) : text.privateTask}</h1>
      <OtherParty task={task} viewer={viewer} />
    </header>
  )
}

/** The worker for the poster, the poster for everybody else. */
function OtherParty({ task: { market, poster, worker }, viewer }: { task: TaskDetailJson; viewer: Viewer }) {
  const isPoster = viewer === 'poster'
  const shown = isPoster ? worker : poster
  const labels = taskText.people
  if (!shown) return null
  return (
    <div className="row wrapping small task-other">
      <AddressLink of={shown} market={market} isTall />
      {isPoster && <span className="pill">{labels.workingForYou}</span>}
    </div>
  )
}

/** Copies the link to this task. */
function ShareButton() {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.origin + location.pathname)
      setCopied(true)
      setTimeout(() => setCopied(false), 2_000)
    } catch {
      // The browser refused. The address bar still has the link.
    }
  }
  return (
    <span className="push share" aria-live="polite">
      <Button look="quiet" size="small" onClick={() => void copy()}>
        {isCopied ? <Check size={16} aria-hidden="true" /> : <Link2 size={16} aria-hidden="true" />}
        <span className="share-label">{isCopied ? taskText.linkCopied : taskText.share}</span>
      </Button>
    </span>
  )
}
