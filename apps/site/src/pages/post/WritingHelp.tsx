import { ApiError } from '@svc/client'
import { useState } from 'react'
import { api } from '../../api.ts'
import { text } from '../../text/post.ts'
import { Button } from '../../ui/Button.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import { Note } from '../../ui/Note.tsx'
import { TextArea } from '../../ui/TextField.tsx'

const labels = text.writing

/** Asks the operator's language model for a description. Its answer is advice: it is used only if the user says so. */
export function WritingHelp({ onUse, onClose }: { onUse: (criteria: string) => void; onClose: () => void }) {
  const [wish, setWish] = useState('')
  const [advice, setAdvice] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  const ask = async () => {
    setBusy(true)
    setProblem(null)
    setAdvice(null)
    try {
      const { body } = await api.chat({ system: labels.system, messages: [{ role: 'user', content: wish }] })
      setAdvice(body.text)
    } catch (error) {
      setProblem(error instanceof ApiError && error.code === 'CHAT_NOT_CONFIGURED' ? labels.missing : labels.failed)
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="writing-help stack">
      <TextArea label={labels.label} help={labels.help} rows={3} maxLength={4_000} value={wish} onChange={setWish} />
      <div className="row wrapping">
        <Button size="small" busy={isBusy} disabled={wish.trim() === ''} onClick={() => void ask()}>
          {labels.ask}
        </Button>
        <Button size="small" look="quiet" onClick={onClose}>
          {labels.dismiss}
        </Button>
      </div>
      <Note tone="turn">{problem}</Note>
      {advice !== null && (
        <div className="card pad stack">
          <p className="tiny soft">{labels.advice}</p>
          <Markdown of={advice} />
          <div>
            <Button
              size="small"
              look="primary"
              onClick={() => {
                onUse(advice)
                onClose()
              }}
            >
              {labels.use}
            </Button>
          </div>
        </div>
      )}
    </div>
  )
}
