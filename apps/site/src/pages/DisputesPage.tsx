import { useApi } from '../api.ts'
import { MarketChoice, useMarket } from '../parts/MarketChoice.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { TaskTable } from '../parts/TaskTable.tsx'

/** Tasks in dispute. The page of each task shows the details. */
export function DisputesPage() {
  const market = useMarket()
  const found = useApi('listRecentTasks', { market, limit: 100 })
  return (
    <>
      <h1>Disputes</h1>
      <MarketChoice />
      <QueryView of={found}>
        {({ tasks }) => (
          <TaskTable
            tasks={tasks.filter(({ state }) => state === 'DISPUTED')}
            empty="None of the newest hundred tasks is in dispute."
          />
        )}
      </QueryView>
    </>
  )
}
