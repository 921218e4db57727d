import { Download } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../api.ts'
import { moneyText } from '../text/money.ts'
import { Amount } from '../ui/Amount.tsx'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { useMarket } from '../useMarket.ts'
import { downloadTasks } from './downloadTasks.ts'
import { QueryView } from './QueryView.tsx'

const labels = moneyText.earnings

/** What the user's tasks earned, paid and hold, as two tables, and a file with every task. */
export function Ledger({ address }: { address: string }) {
  const market = useMarket()
  const found = useApi('getLedger', { address, market })
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const download = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await downloadTasks(address, market, labels.file(market))
    } catch {
      setProblem(labels.failed)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section id="ledger" className="card pad panel">
      <header>
        <h2>{labels.title}</h2>
        <Button size="small" busy={isBusy} onClick={() => void download()}>
          <Download size={16} aria-hidden="true" />
          {labels.download}
        </Button>
      </header>
      <p className="small soft">{labels.description}</p>
      <QueryView of={found}>
        {({ buyer, worker }) => (
          <div className="ledgers">
            <Sums
              title={labels.asWorker}
              count={worker.taskCount}
              rows={[
                [labels.earned, worker.releasedTokWei],
                [labels.lockedForYou, worker.lockedTokWei],
                [labels.disputedForYou, worker.disputedTokWei],
              ]}
            />
            <Sums
              title={labels.asPoster}
              count={buyer.taskCount}
              rows={[
                [labels.funded, buyer.fundedTokWei],
                [labels.released, buyer.releasedTokWei],
                [labels.locked, buyer.lockedTokWei],
                [labels.disputed, buyer.disputedTokWei],
                [labels.refunded, buyer.refundedTokWei],
              ]}
            />
          </div>
        )}
      </QueryView>
      <Note tone="loss">{problem}</Note>
    </section>
  )
}

interface SumsProps {
  title: string
  count: number
  rows: readonly (readonly [what: string, amount: string])[]
}

function Sums({ title, count, rows }: SumsProps) {
  return (
    <table className="sums">
      <caption>
        {title} <span className="soft">· {labels.tasks(count)}</span>
      </caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{labels.what}</th>
          <th scope="col">{labels.amount}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([what, amount]) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td>
              <Amount of={amount} usd={BigInt(amount) > 0n} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
