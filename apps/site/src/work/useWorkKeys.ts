import type { DeviceKeys } from '@svc/work'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Address } from 'viem'
import { getConnection } from 'wagmi/actions'
import { chainId } from '../deployments.ts'
import { workKeysText } from '../text/workKeys.ts'
import { useMarket } from '../useMarket.ts'
import { findProvider, type WalletProvider } from '../wallet/provider.ts'
import { useWallet } from '../wallet/useWallet.ts'
import { wagmiConfig } from '../wallet/wagmiConfig.ts'
import { loadEngine } from './loadEngine.ts'
import { useStore } from './useStore.ts'

// Not a string, so that events of the market do not read them again.
const nameQuery = (wallet: Address | undefined) => [{ workKeys: wallet }]

/** The reading key of the connected wallet on this device. */
export function useWorkKeys() {
  const { address } = useWallet()
  const queries = useQueryClient()
  const { data, error, isPending } = useQuery({
    queryKey: nameQuery(address),
    enabled: address !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    networkMode: 'always',
    queryFn: async () => (address ? (await loadEngine()).keyStore.load(address) : null),
  })
  const store = useStore(useMarket())
  /** Runs what changes the keys, makes the new one known at the store, and shows it everywhere. */
  const change = async (use: (wallet: Address, signing: Signing) => Promise<DeviceKeys>): Promise<DeviceKeys> => {
    if (!address) throw new Error(workKeysText.noWallet)
    const keys = await use(address, await createSigning(address))
    if (store && keys.statement) {
      const { getStoreConnection } = await loadEngine()
      // If the store is down, it learns the key with the next session.
      await getStoreConnection(store, keys)
        .calls.putStatement(keys.statement)
        .catch(() => {})
    }
    queries.setQueryData(nameQuery(address), keys)
    return keys
  }
  return {
    wallet: address,
    /** Null if this device has none; undefined until that is known. */
    keys: address === undefined ? null : isPending ? undefined : (data ?? null),
    isSignedIn: Boolean(data?.statement && isCurrent(data.statement.message)),
    error,
    /** Has the wallet sign in, if it has not or if its sign-in ends soon. Creates the key the first time, and publishes it. */
    signIn: () => change(async (_, signing) => (await loadEngine()).ensureKeys(signing)),
    /** Replaces the key. Work that was sealed for the old one stays readable on this device. */
    rotate: () => change(async (_, signing) => (await loadEngine()).rotateKeys(signing)),
    /** Takes the key of a recovery file. The wallet signs in with it. */
    restore: (text: string, passphrase: string) =>
      change(async (wallet, signing) => {
        const { decryptKeyBackup, restoreKeys, keyStore, ensureKeys } = await loadEngine()
        const backup = await decryptKeyBackup(text, passphrase)
        if (backup.wallet.toLowerCase() !== wallet.toLowerCase())
          throw new Error(workKeysText.otherWallet(backup.wallet))
        await restoreKeys(keyStore, backup)
        return ensureKeys(signing)
      }),
  }
}

export type WorkKeys = ReturnType<typeof useWorkKeys>

type Signing = Awaited<ReturnType<typeof createSigning>>

/** Whether a sign-in is for this site and does not end within a week. Otherwise `signIn` asks for another. */
function isCurrent(message: string): boolean {
  const [, end = ''] = /^Expiration Time: (.+)$/m.exec(message) ?? []
  return message.startsWith(`${location.host} `) && Date.parse(end) > Date.now() + 7 * 86_400_000
}

/** What signs and checks statements, with the wallet that is connected now. */
export async function createSigning(wallet: Address) {
  const { keyStore, createVerifier, signText } = await loadEngine()
  const provider = await getProvider()
  return {
    wallet,
    keyStore,
    domain: location.host,
    chainId,
    now: Math.floor(Date.now() / 1000),
    signMessage: (text: string) => signText(provider, wallet, text),
    verifySignature: createVerifier(provider),
  }
}

/** The provider of the connected wallet. Throws if there is none. */
export async function getProvider(): Promise<WalletProvider> {
  const { connector } = getConnection(wagmiConfig)
  const provider = await findProvider(connector)
  if (!provider) throw new Error(workKeysText.noWallet)
  return provider
}
