import { createPersonalData, createSessions, createStatements, type Database, type DatabaseOptions } from '@svc/serve'
import type { StoreDeps } from '../deps.ts'
import { createBundleRecords } from './bundles.ts'
import { createGrantRecords } from './grants.ts'
import { createMailRecords } from './mail.ts'
import { createPartRecords } from './parts.ts'
import { storeData } from './personalData.ts'
import { createPictureRecords } from './pictures.ts'
import { createRemovalRecords } from './removals.ts'
import { createVaultRecords } from './vault.ts'

/** The tables of the store. */
export const storeSchema: DatabaseOptions = {
  schema: 'store',
  migrations: new URL('../../migrations/', import.meta.url),
}

/** Creates all records of the store over one database. */
export function createRecords(
  database: Database,
): Pick<
  StoreDeps,
  | 'personalData'
  | 'sessions'
  | 'statements'
  | 'parts'
  | 'bundles'
  | 'grants'
  | 'removals'
  | 'vaults'
  | 'pictures'
  | 'mail'
> {
  return {
    personalData: createPersonalData(database, 'store', storeData),
    sessions: createSessions(database, { schema: 'store', signInPath: '/v1/sessions' }),
    statements: createStatements(database, 'store'),
    parts: createPartRecords(database),
    bundles: createBundleRecords(database),
    grants: createGrantRecords(database),
    removals: createRemovalRecords(database),
    vaults: createVaultRecords(database),
    pictures: createPictureRecords(database),
    mail: createMailRecords(database),
  }
}
