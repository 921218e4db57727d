import { useApi } from '../api.ts'
import { MarketChoice, useMarket } from '../parts/MarketChoice.tsx'
import { Reading } from '../parts/Reading.tsx'
import { TaskTable } from '../parts/TaskTable.tsx'

/** Tasks whose money a dispute holds. The page of each has its evidence, proposals, ruling and appeal. */
export function DisputesPage() {
  const market = useMarket()
  const found = useApi('marketRecent', { market, limit: 100 })
  return (
    <>
      <h1>Disputes</h1>
      <MarketChoice />
      <Reading of={found}>
        {({ tasks }) => (
          <TaskTable
            tasks={tasks.filter(({ state }) => state === 'DISPUTED')}
            empty="None of the newest hundred tasks is in dispute."
          />
        )}
      </Reading>
    </>
  )
}
