import type { Market, SigningContext } from '@svc/protocol'
import type { SessionCallDeps } from '@svc/serve'
import type { Address, LocalAccount } from 'viem'
import type { ObjectStore } from './objects/objectStore.ts'
import type { BundleRecords } from './records/bundles.ts'
import type { GrantRecords } from './records/grants.ts'
import type { MailRecords } from './records/mail.ts'
import type { PartRecords } from './records/parts.ts'
import type { PictureRecords } from './records/pictures.ts'
import type { RemovalRecords } from './records/removals.ts'
import type { VaultRecords } from './records/vault.ts'
import type { TaskSource } from './taskAccess.ts'

/** What the routes of the store work with. */
export interface StoreDeps extends SessionCallDeps {
  /** Signs receipts. */
  signer: LocalAccount
  /** Where signatures over tasks of a market are valid. */
  signingContext: (market: Market) => SigningContext
  /** The wallet that grants disputed work to judges; null if there is none. */
  clerk: Address | null
  objects: ObjectStore
  tasks: TaskSource
  parts: PartRecords
  bundles: BundleRecords
  grants: GrantRecords
  removals: RemovalRecords
  vaults: VaultRecords
  pictures: PictureRecords
  mail: MailRecords
  /** Whether a wallet has a deposit that strangers' messages need. */
  hasDeposit: (wallet: Address) => Promise<boolean>
  /** Whether the market has known a wallet for a day, by its deposit or its tasks; null if the index cannot say it now. */
  isEstablished: (wallet: Address) => Promise<boolean | null>
}
