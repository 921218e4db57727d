export { isMarket, type Market, market, markets } from './market.ts'
export { formatTaskId, InvalidTaskIdError, parseTaskId, type TaskId, taskId } from './taskId.ts'
