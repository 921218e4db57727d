/** Users post, claim and meddle; judges are the arbitrators. Solidity knows them by their place here. */
export const users = ['ann', 'bob', 'cat', 'dan', 'eve'] as const
export const judges = ['j1', 'j2', 'j3', 'j4', 'j5', 'j6', 'j7', 'j8', 'j9', 'j10'] as const
export const wallets: readonly string[] = [...users, ...judges]

/** The accounts TOK sits in besides the wallets. */
export const vaults = ['escrowVault', 'stakingVault', 'arbitration', 'treasury'] as const

/** A wallet's place from 1; zero for nobody. */
export const indexOf = (wallet: string | null): bigint => BigInt(wallet === null ? 0 : wallets.indexOf(wallet) + 1)
