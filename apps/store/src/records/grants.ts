import { ServiceError } from '@svc/operations'
import type { LaterGrant } from '@svc/protocol/internal/work'
import type { Database } from '@svc/serve'
import type { Address, Hex } from 'viem'

/**
 * Later grants of one bundle by one author: judges, replacements and new keys of the parties. Counted by author, so that a party
 * cannot use up the room of the others and keep a judge from reading.
 */
const maxGrants = 100

export interface GrantRecords {
  /** Stores a grant; it replaces the author's own earlier one for the same key. Throws WORK_QUOTA_REACHED. */
  save: (grant: LaterGrant, author: Address) => Promise<void>
  /** Lists the grants of a bundle for a reader, newest first. */
  list: (bundle: Hex, reader: Address) => Promise<readonly { key: string; file: Uint8Array; author: string }[]>
}

export function createGrantRecords(database: Database): GrantRecords {
  return {
    async save({ bundle, reader, key, file }, author) {
      const { count } = await database(
        (sql) => sql`
          insert into store.later_grant (bundle, reader, key, author, file)
          select ${bundle}, ${reader}, ${key}, ${author}, ${Buffer.from(file)}::bytea
          where (
            select count(*) from store.later_grant
            where bundle = ${bundle} and author = ${author} and (reader, key) <> (${reader}, ${key})
          ) < ${maxGrants}
          on conflict (bundle, reader, key, author) do update set file = excluded.file, stored_at = now()`,
      )
      if (count === 0)
        throw new ServiceError('WORK_QUOTA_REACHED', `A wallet makes at most ${maxGrants} later grants of a bundle.`)
    },
    list: (bundle, reader) =>
      database(
        (sql) => sql<{ key: string; file: Buffer; author: string }[]>`
          select key, file, author from store.later_grant where bundle = ${bundle} and reader = ${reader}
          order by stored_at desc, author`,
      ),
  }
}
