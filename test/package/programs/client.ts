import { apiEndpoints, createClient } from '@svc/client'

const api = createClient(apiEndpoints, { baseUrl: process.env.SVC_API_URL ?? 'http://127.0.0.1:8080' })
const { body, blockNumber } = await api.listOpenTasks({ market: 'micro', limit: 3 })
for (const { id, totalAmountTokWei } of body.tasks) console.log(id, BigInt(totalAmountTokWei) / 10n ** 18n, 'TOK')
console.log(`True at block ${blockNumber}.`)
