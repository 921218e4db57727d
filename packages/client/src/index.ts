export type { DisputeJson, EventJson, TaskDetailJson, TaskJson } from '@svc/operations'
export { apiEndpoints, gatewayEndpoints, readNames } from '@svc/operations/endpoints'
export {
  type Answer,
  ApiError,
  type Client,
  type ClientInput,
  type ClientOptions,
  createClient,
  joinUrl,
  readError,
} from './client.ts'
export { type FollowOptions, followEvents, type StreamInterruption } from './followEvents.ts'
export type { StreamMessage } from './streamMessages.ts'
