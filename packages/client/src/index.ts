export { type Answer, ApiError, type Client, type ClientOptions, createClient } from './client.ts'
export type * from './contract.ts'
