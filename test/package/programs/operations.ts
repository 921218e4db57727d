import { operations } from '@svc/operations'
import { apiEndpoints } from '@svc/operations/endpoints'

const { input, summary } = operations.listOpenTasks
console.log(`${apiEndpoints.listOpenTasks}: ${summary}`)
console.log(input.parse({ market: 'micro', limit: 5 }))
