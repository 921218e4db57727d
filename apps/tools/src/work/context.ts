import { getStateFolder } from '@svc/serve'
import { loadMarkets } from '../loadMarkets.ts'
import { type Options, type ProgramIo, readAccount } from '../negotiate/context.ts'
import { UsageError } from '../negotiate/describeExit.ts'
import { parseAddressArgument } from '../negotiate/parseArguments.ts'
import { listWorkFolders, openWorkWallet, type WorkWallet } from './place.ts'

/** The streams of `svc-work`, and how it reaches a store. */
export interface WorkIo extends ProgramIo {
  fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** Opens the wallet of PRIVATE_KEY, with the settings of the command line and the environment. Asks for no signature yet. */
export async function openWallet(options: Options, { environment, errors, now, fetch }: WorkIo): Promise<WorkWallet> {
  const account = readAccount(environment.PRIVATE_KEY)
  const progress = (line: string) => void errors.write(`${line}\n`)
  const { env, markets } = await loadMarkets(environment, progress, {
    api: options.api,
    repin: options.repin !== undefined,
  })
  const domain = options.domain ?? (env.SVC_API_URL ? new URL(env.SVC_API_URL).host : undefined)
  if (!domain) throw new UsageError('The domain of the sign-in is missing. Pass --domain, or set SVC_API_URL.')
  const folders = listWorkFolders(getStateFolder(environment))
  const address = options['store-address']
  return openWorkWallet(
    markets,
    {
      domain,
      storeUrl: options.store ?? env.SVC_STORE_URL,
      storeAddress: address === undefined ? undefined : parseAddressArgument(address, '--store-address'),
      apiUrl: env.SVC_API_URL,
      keyFolder: options.keys ?? folders.keyFolder,
      outbox: folders.outbox,
      mailFolder: folders.mailFolder,
      now,
      fetch,
      progress,
    },
    { wallet: account.address, signMessage: (message) => account.signMessage({ message }) },
  )
}
