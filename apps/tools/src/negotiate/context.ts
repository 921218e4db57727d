import type { Readable, Writable } from 'node:stream'
import { createCheckedRpc, createProvider, createRpc, createViemChain, loadDeployments } from '@svc/chain'
import { defaultRpcUrl } from '@svc/protocol'
import { createSignatureVerifier } from '@svc/protocol/negotiation'
import type { Address, Hex, LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { loadApiDeployments } from '../loadMarkets.ts'
import { openTransport, transportNames } from '../transport/openTransport.ts'
import type { Transport } from '../transport/transport.ts'
import { UsageError } from './describeExit.ts'
import { readNegotiateEnv } from './env.ts'
import { parseChoiceArgument } from './parseArguments.ts'
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
    const urls = (SVC_RPC_URL ?? CHAIN_RPC_URL ?? defaultRpcUrl).split(',')
    const notify = (message: string) => void errors.write(`${message}\n`)
    return loadApiDeployments(api, urls, { environment, repin: options.repin !== undefined, notify })
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
