import { finalCourt } from '@svc/simulation/model'

/** Users post, claim and make other calls; judges are the arbitrators. Solidity knows them by their position here. */
export const users = ['ann', 'bob', 'cat', 'dan', 'eve'] as const
export const judges = ['j1', 'j2', 'j3', 'j4', 'j5', 'j6', 'j7', 'j8', 'j9', 'j10'] as const
export const wallets: readonly string[] = [...users, ...judges, finalCourt]

/** The accounts that hold TOK besides the wallets. */
export const vaults = ['escrowVault', 'stakingVault', 'arbitration', 'treasury'] as const

/** The position of a wallet from 1; zero for none. */
export const walletIndex = (wallet: string | null): bigint => BigInt(wallet === null ? 0 : wallets.indexOf(wallet) + 1)
