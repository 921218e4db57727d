import type { Database } from '@svc/serve'
import type { Address } from 'viem'

/** Encrypted backups of reading keys, one per wallet. Only its own session reads one. */
export interface VaultRecords {
  save: (wallet: Address, file: Uint8Array) => Promise<void>
  find: (wallet: Address) => Promise<Uint8Array | null>
}

export function createVaultRecords(database: Database): VaultRecords {
  return {
    async save(wallet, file) {
      await database(
        (sql) => sql`
          insert into store.vault (wallet, file) values (${wallet}, ${Buffer.from(file)})
          on conflict (wallet) do update set file = excluded.file, stored_at = now()`,
      )
    },
    async find(wallet) {
      const [row] = await database(
        (sql) => sql<{ file: Buffer }[]>`select file from store.vault where wallet = ${wallet}`,
      )
      return row?.file ?? null
    },
  }
}
