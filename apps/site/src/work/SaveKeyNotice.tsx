import { useState } from 'react'
import { workKeysText } from '../text/workKeys.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { isSaved, rememberSaved } from './savedKey.ts'
import { useWorkKeys } from './useWorkKeys.ts'

const labels = workKeysText.notice

/** Asks once to save the reading key. It never stands in the way. */
export function SaveKeyNotice() {
  const { keys, wallet } = useWorkKeys()
  const [isDismissed, setDismissed] = useState(false)
  if (!keys?.statement || !wallet || isDismissed || isSaved(wallet)) return null
  return (
    <Note>
      <p>{labels.description}</p>
      <p className="row wrapping">
        <ButtonLink size="small" href="/settings#reading-key">
          {labels.save}
        </ButtonLink>
        <Button
          size="small"
          look="quiet"
          onClick={() => {
            rememberSaved(wallet)
            setDismissed(true)
          }}
        >
          {labels.dismiss}
        </Button>
      </p>
    </Note>
  )
}
