import type { DatabaseOptions } from '@svc/serve'

/** The tables of the notifier. */
export const notifySchema: DatabaseOptions = {
  schema: 'notify',
  migrations: new URL('../../migrations/', import.meta.url),
}
