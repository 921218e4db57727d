import { readConnectionSettings } from '@svc/index'
import { connectPool } from '@svc/serve'
import type { Sql } from 'postgres'

/** The connection pool of a replica, with the settings that reads of the index need. */
export const connectDatabase = (url: string): Sql => connectPool(url, 'svc-api', readConnectionSettings)
