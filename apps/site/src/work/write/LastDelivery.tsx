import type { ExpectedBundle } from '@svc/protocol/work'
import { useEffect, useState } from 'react'
import { workWriteText as labels } from '../../text/workWrite.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { useBundle } from '../useBundle.ts'
import type { WorkDraft } from './workDraft.ts'

interface LastDeliveryProps {
  /** What this wallet delivered last for the same milestone. */
  reference: ExpectedBundle
  onLoad: (draft: WorkDraft) => void
}

/** Offers what was delivered last as the beginning of the next version: most changes concern a part of it. */
export function LastDelivery({ reference, onLoad }: LastDeliveryProps) {
  const [isAsked, setAsked] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const { bundle, problem, signIn } = useBundle(reference, isAsked)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it was asked for
  useEffect(() => {
    // The page may have opened it already.
    if (!bundle || !isAsked) return
    const { text, files } = bundle.manifest
    Promise.all(
      files.map(async ({ name, type }) => {
        const blob = new Blob([await bundle.readFile(name)], { type })
        return { id: crypto.randomUUID(), name, type, blob }
      }),
    )
      .then((loaded) => onLoad({ text, files: loaded }))
      .catch(({ message }: Error) => setFailure(message))
  }, [bundle, isAsked])
  const why = failure ?? problem?.message
  return (
    <>
      <p>
        <Button
          size="small"
          busy={isAsked && !why}
          onClick={() => {
            setAsked(true)
            if (problem?.kind === 'signIn') void signIn()
          }}
        >
          {labels.startFromLast}
        </Button>
      </p>
      {why && <Note>{why}</Note>}
    </>
  )
}
