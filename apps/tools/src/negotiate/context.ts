import type { Readable, Writable } from 'node:stream'
import {
  createCheckedRpc,
  createProvider,
  createRpc,
  createViemChain,
  type Deployments,
  loadDeployments,
} from '@svc/chain'
import { createSignatureVerifier, type Transport } from '@svc/protocol/negotiation'
import { getStateFolder, listPublicRpcUrls, loadApiDeployments } from '@svc/serve'
import type { Address, Hex, LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { loadMarkets } from '../loadMarkets.ts'
import { openTransport, transportNames } from '../transport/openTransport.ts'
import { listWorkFolders } from '../work/place.ts'
import { openStoreTransport } from '../work/storeTransport.ts'
import { UsageError } from './describeExit.ts'
import { readNegotiateEnv } from './env.ts'
import { parseAddressArgument, parseChoiceArgument } from './parseArguments.ts'
import { createTranscriptStore } from './transcriptStore.ts'

/** The environment and streams of a program, passed in by its entry file. */
export interface ProgramIo {
  environment: Readonly<Record<string, string | undefined>>
  input: Readable
  output: Writable
  errors: Writable
  /** Unix seconds. */
  now: () => number
}

/** The options of a command, as text. */
export type Options = Readonly<Record<string, string | undefined>>

/** What a command works with. Everything is opened on first use. */
export type Context = ReturnType<typeof createContext>

/** Creates the context of a command. Only `account` reads the key, and nothing prints it. */
export function createContext({ environment, input, output, errors, now }: ProgramIo, options: Options) {
  const notify = (message: string) => void errors.write(`${message}\n`)
  /** The domain whose sign-ins count for messages that a device key signed. */
  const findDomain = () => {
    const api = options.api ?? env().SVC_API_URL
    return options.domain ?? (api ? new URL(api).host : undefined)
  }
  const env = memoize(() => readNegotiateEnv(environment))
  const deployments = memoize(() => {
    const { SVC_RPC_URL, CHAIN_RPC_URL, SVC_DEPLOYMENTS, SVC_API_URL } = env()
    const file = options.deployments ?? SVC_DEPLOYMENTS
    if (file) return loadDeployments(file)
    const api = options.api ?? SVC_API_URL
    if (!api) {
      throw new UsageError(
        'The contract addresses are missing. Pass --api <url> or set SVC_API_URL; --deployments <file> or SVC_DEPLOYMENTS names a file.',
      )
    }
    const given = (SVC_RPC_URL ?? CHAIN_RPC_URL)?.split(',')
    const listRpcUrls = ({ chainId }: Deployments) => given ?? listPublicRpcUrls(chainId)
    return loadApiDeployments(api, listRpcUrls, { environment, repin: options.repin !== undefined, notify })
  })
  const account = memoize(() => readAccount(environment.PRIVATE_KEY))
  /** Signatures of contract wallets are verified if an RPC provider is set. */
  const verifySignature = memoize(async () => {
    const { SVC_RPC_URL, CHAIN_RPC_URL } = env()
    const url = (SVC_RPC_URL ?? CHAIN_RPC_URL)?.split(',')[0]
    if (!url) return undefined
    const known = await deployments()
    const { client } = createProvider(
      createCheckedRpc(createRpc({ name: 'The chain', url }), known),
      createViemChain(known.chainId),
    )
    return createSignatureVerifier(async (check) => {
      // verifyHash returns false if the provider does not respond, so check the provider first.
      await client.getBlockNumber()
      return client.verifyHash(check)
    })
  })
  return {
    options,
    now,
    deployments,
    account,
    verifySignature,
    store: memoize(async () =>
      createTranscriptStore({
        folder: options.dir ?? 'negotiations',
        deployments: await deployments(),
        verifySignature: await verifySignature(),
        domains: findDomain() === undefined ? undefined : [String(findDomain())],
      }),
    ),
    /** Opens the transport of a wallet and closes it after `use`. */
    async withTransport<T>(
      me: Address,
      signer: LocalAccount | null,
      use: (transport: Transport) => Promise<T>,
    ): Promise<T> {
      const { XMTP_ENV, XMTP_DB_PATH } = env()
      const transport = await openTransport({
        name: parseChoiceArgument(transportNames, options.transport ?? 'file', '--transport'),
        me,
        account: signer,
        mailbox: options.mailbox ?? 'mailbox',
        input,
        output,
        xmtp: { network: XMTP_ENV, dbPath: XMTP_DB_PATH },
        openStore: async () => {
          const domain = findDomain()
          if (!domain) throw new UsageError('The domain of the sign-in is missing. Pass --domain, or set SVC_API_URL.')
          const { env: tools, markets } = await loadMarkets(environment, notify, {
            api: options.api,
            repin: options.repin !== undefined,
          })
          const folders = listWorkFolders(getStateFolder(environment))
          const { storeAddress } = options
          const settings = {
            domain,
            storeUrl: options.store ?? tools.SVC_STORE_URL,
            storeAddress:
              storeAddress === undefined ? undefined : parseAddressArgument(storeAddress, '--store-address'),
            apiUrl: tools.SVC_API_URL,
            ...folders,
            now,
            progress: notify,
          }
          const signMessage = (message: string) => account().signMessage({ message })
          return openStoreTransport({ markets, settings, me, signMessage })
        },
      })
      try {
        return await use(transport)
      } finally {
        await transport.close()
      }
    },
  }
}

/** Reads the wallet from its key. Throws `UsageError`, without printing the key. */
export function readAccount(key: string | undefined): LocalAccount {
  if (!key) throw new UsageError('This command signs. Set the environment variable PRIVATE_KEY to your key.')
  // The message never contains the value.
  const invalidKey = () => new UsageError('PRIVATE_KEY is not a valid key: expected 0x and 64 hex digits.')
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) throw invalidKey()
  try {
    return privateKeyToAccount(key as Hex)
  } catch {
    throw invalidKey()
  }
}

function memoize<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
