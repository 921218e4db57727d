import type { OutputJson } from '@svc/operations'
import { useState } from 'react'
import { settingsText } from '../text/settings.ts'
import { Button } from '../ui/Button.tsx'
import { useMarket } from '../useMarket.ts'
import { loadEngine } from '../work/loadEngine.ts'
import { saveFile } from '../work/show/saveFile.ts'
import { useStore } from '../work/useStore.ts'
import { useWorkKeys } from '../work/useWorkKeys.ts'
import { Outcome, useTask } from './Outcome.tsx'
import { useNotifier } from './useNotifier.ts'

const labels = settingsText.data

/** What the services of the market store about the wallet: save it as a file, or delete it. */
export function YourData() {
  const { wallet, keys, isSignedIn } = useWorkKeys()
  const store = useStore(useMarket())
  const notifier = useNotifier()
  const [isAsked, setAsked] = useState(false)
  const [stays, setStays] = useState<string[]>([])
  const { isBusy, message, problem, run } = useTask()
  /** The services that there are, each with a session of the wallet. */
  const connect = async () => {
    const { getStoreConnection } = await loadEngine()
    return {
      ...(store && { store: getStoreConnection(store, keys ?? null).calls }),
      ...(notifier.isReady && { notifications: await notifier.connect() }),
    }
  }
  const exportAll = async () => {
    const saved: Record<string, OutputJson<'exportData'>['rows']> = {}
    for (const [name, calls] of Object.entries(await connect())) {
      const rows: OutputJson<'exportData'>['rows'] = []
      for (let after: string | null | undefined; after !== null; ) {
        const { body } = await calls.exportData(after === undefined ? {} : { after })
        rows.push(...body.rows)
        after = body.next
      }
      saved[name] = rows
    }
    const text = JSON.stringify(saved, null, 2)
    saveFile(`task-market-data-${wallet?.slice(0, 8)}.json`, new TextEncoder().encode(text))
    return labels.exported
  }
  const deleteAll = async () => {
    const reasons = new Set<string>()
    for (const calls of Object.values(await connect()))
      for (const { reason } of (await calls.deleteData({})).body.kept) reasons.add(reason)
    setStays([...reasons])
    setAsked(false)
    return labels.deleted
  }
  if (!wallet || !isSignedIn) return null
  return (
    <section>
      <div className="stack tight">
        <h2>{labels.label}</h2>
        <p className="small soft">{isAsked ? labels.deleteSays : labels.description}</p>
      </div>
      <div className="row wrapping">
        <Button busy={isBusy && !isAsked} onClick={() => void run(exportAll)}>
          {labels.export}
        </Button>
        {isAsked ? (
          <Button look="danger" busy={isBusy} onClick={() => void run(deleteAll)}>
            {labels.confirm}
          </Button>
        ) : (
          <Button look="quiet" onClick={() => setAsked(true)}>
            {labels.delete}
          </Button>
        )}
      </div>
      <div className="key-form stack tight small">
        <Outcome message={message} problem={problem} />
        {stays.length > 0 && <p>{labels.stays}</p>}
        <ul>
          {stays.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </div>
    </section>
  )
}
