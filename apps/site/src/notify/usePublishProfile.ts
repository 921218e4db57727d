import { ApiError, createClient } from '@svc/client'
import { notifyEndpoints } from '@svc/operations/endpoints'
import { buildProfileTypedData, encodeProfile, type Profile } from '@svc/protocol/profile'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Address, getTypesForEIP712Domain, isHex, stringify } from 'viem'
import { chainId } from '../deployments.ts'
import { profileText } from '../text/profile.ts'
import { useMarket } from '../useMarket.ts'
import { buildNameQuery } from '../usePerson.ts'
import { isDeclined } from '../wallet/provider.ts'
import { loadEngine } from '../work/loadEngine.ts'
import { useStore } from '../work/useStore.ts'
import { getProvider, useWorkKeys } from '../work/useWorkKeys.ts'

const labels = profileText.edit
const notifier = createClient(notifyEndpoints, { baseUrl: location.origin })

/** Has the wallet sign its profile, and publishes it. A new picture goes to the store first. */
export function usePublishProfile(wallet: Address, onDone: () => void) {
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState<'save' | 'remove' | null>(null)
  const { keys, isSignedIn, signIn } = useWorkKeys()
  const store = useStore(useMarket())
  const queries = useQueryClient()

  /** A picture that was stored before is its hash. */
  const storePicture = async (picture: Blob | string | null): Promise<string | null> => {
    if (picture === null || typeof picture === 'string') return picture
    if (!store) throw new Error(labels.noStore)
    const own = keys && isSignedIn ? keys : await signIn()
    const { getStoreConnection } = await loadEngine()
    return getStoreConnection(store, own).putPicture(new Uint8Array(await picture.arrayBuffer()))
  }
  /** Publishes a profile, or removes it with null. */
  const publish = async (profile: Profile | null, picture: Blob | string | null) => {
    setBusy(profile ? 'save' : 'remove')
    setProblem(null)
    try {
      const stored = profile && (await storePicture(picture))
      await signAndSend(wallet, profile ? encodeProfile({ ...profile, ...(stored && { picture: stored }) }) : '')
      await queries.invalidateQueries({ queryKey: buildNameQuery(wallet) })
      onDone()
    } catch (error) {
      setProblem(describeProblem(error))
    } finally {
      setBusy(null)
    }
  }
  return { publish, busy, problem, hasStore: Boolean(store) }
}

async function signAndSend(wallet: Address, profile: string): Promise<void> {
  const provider = await getProvider()
  const statement = {
    wallet,
    domain: location.host,
    chainId,
    issuedAt: Math.floor(Date.now() / 1000),
    profile,
  }
  const typedData = buildProfileTypedData(statement)
  const types = { EIP712Domain: getTypesForEIP712Domain({ domain: typedData.domain }), ...typedData.types }
  const params = [wallet, stringify({ ...typedData, types })]
  const signature = await provider.request({ method: 'eth_signTypedData_v4', params })
  if (!isHex(signature)) throw new Error(labels.noWallet)
  await notifier.putProfile({ ...statement, signature })
}

function describeProblem(error: unknown): string {
  if (isDeclined(error)) return labels.declined
  if (error instanceof ApiError && [404, 405, 502, 503].includes(error.status)) return labels.unavailable
  return error instanceof Error ? error.message : String(error)
}
