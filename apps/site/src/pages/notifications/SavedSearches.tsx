import { sanitizeText } from '@svc/protocol'
import { type FormEvent, useState } from 'react'
import { Outcome, useTask } from '../../notify/Outcome.tsx'
import { type SearchRow, useSubscriptions } from '../../notify/useNotifier.ts'
import { Link } from '../../router.tsx'
import { notificationsText as labels } from '../../text/notifications.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useMarket } from '../../useMarket.ts'
import { Section } from './Section.tsx'

/** Searches whose new tasks are notifications, and a form for a simple one. */
export function SavedSearches({ searches }: { searches: readonly SearchRow[] }) {
  const { change } = useSubscriptions()
  const market = useMarket()
  const [name, setName] = useState('')
  const [query, setQuery] = useState('')
  const { message, problem, isBusy, run } = useTask()
  const save = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      const search = new URLSearchParams({ market, q: query }).toString()
      await change((notifier) => notifier.saveSearch({ name, search }))
      setName('')
      setQuery('')
      return null
    })
  }
  const remove = (id: string) => run(() => change((notifier) => notifier.removeSearch({ id })).then(() => null))
  const texts = labels.searches
  return (
    <Section
      title={texts.title}
      description={searches.length === 0 ? `${texts.description} ${texts.empty}` : texts.description}
    >
      <div className="stack saved-searches">
        <ul>
          {searches.map(({ id, name, search }) => (
            <li key={id} className="row wrapping">
              <Link href={`/tasks?${search}`} dir="auto">
                {sanitizeText(name)}
              </Link>
              <Button
                size="small"
                look="quiet"
                disabled={isBusy}
                aria-label={texts.remove(sanitizeText(name))}
                onClick={() => void remove(id)}
              >
                {labels.targets.remove}
              </Button>
            </li>
          ))}
        </ul>
        <form className="target-form searching" onSubmit={save}>
          <TextField label={texts.name} required maxLength={80} value={name} onChange={setName} />
          <TextField label={texts.words} help={texts.help} required maxLength={200} value={query} onChange={setQuery} />
          <Button type="submit" busy={isBusy}>
            {texts.button}
          </Button>
        </form>
        <Outcome message={message} problem={problem} />
      </div>
    </Section>
  )
}
