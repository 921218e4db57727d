export { type Answer, ApiError, type Client, type ClientOptions, createClient } from './client.ts'
export type * from './contract.ts'
export { type FollowOptions, followEvents, type MarketEvent, type Tiding } from './followEvents.ts'
