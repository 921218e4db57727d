import { SvcError } from '@svc/protocol'
import { fetchSiteConfig } from '@svc/serve'
import { connectNotifier, ensureKeys, type NotifierConnection } from '@svc/work'
import type { WorkSettings, WorkWallet } from './place.ts'

/** Connects a wallet to the notifier that the API names. Signs in if necessary. Throws NOTIFIER_UNKNOWN. */
export async function openNotifier({ settings, signIn }: WorkWallet): Promise<NotifierConnection> {
  const { baseUrl, ...options } = await findNotifier(settings)
  return connectNotifier({ baseUrl, keys: await ensureKeys(signIn), ...options })
}

/** Connects to the same notifier without a session. */
export const openPublicNotifier = async ({ settings }: WorkWallet) => connectNotifier(await findNotifier(settings))

async function findNotifier({ apiUrl, now, fetch }: WorkSettings) {
  const offered = apiUrl ? (await fetchSiteConfig(apiUrl, 'standard')).notifier : null
  if (!apiUrl || !offered) {
    throw new SvcError('NOTIFIER_UNKNOWN', 'This market has no notifier.', {
      hint: 'Set SVC_API_URL to an API with one, or poll the next steps of your tasks.',
    })
  }
  const baseUrl = new URL(offered.url, apiUrl).href.replace(/\/notify\/?$/, '')
  return { baseUrl, now, ...(fetch && { fetch }) }
}
