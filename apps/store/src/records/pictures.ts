import type { Database } from '@svc/serve'
import type { Address } from 'viem'

/** Pictures that wallets show beside their names, one per wallet. */
export interface PictureRecords {
  save: (wallet: Address, sha256: string, file: Uint8Array) => Promise<void>
  find: (wallet: Address, sha256: string) => Promise<Uint8Array | null>
}

export const createPictureRecords = (database: Database): PictureRecords => ({
  async save(wallet, sha256, file) {
    await database(
      (sql) => sql`
        insert into store.picture (wallet, sha256, file) values (${wallet}, ${sha256}, ${Buffer.from(file)})
        on conflict (wallet) do update set sha256 = excluded.sha256, file = excluded.file, stored_at = now()`,
    )
  },
  async find(wallet, sha256) {
    const [row] = await database(
      (sql) => sql<{ file: Buffer }[]>`
        select file from store.picture where wallet = ${wallet} and sha256 = ${sha256}`,
    )
    return row?.file ?? null
  },
})
