import type { Readable, Writable } from 'node:stream'
import { chainOf, createRpc, loadDeployments, providerOf } from '@svc/chain'
import { orContractWallet } from '@svc/protocol/negotiation'
import type { Address, Hex, LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { openTransport, transportNames } from '../transport/openTransport.ts'
import type { Transport } from '../transport/transport.ts'
import { createBook } from './book.ts'
import { readEnv } from './env.ts'
import { UsageError } from './exitOf.ts'
import { oneOf } from './given.ts'

/** What a command touches of the world outside; the entry file hands it in. */
export interface Outside {
  environment: Readonly<Record<string, string | undefined>>
  input: Readable
  output: Writable
  errors: Writable
  /** Unix seconds. */
  now: () => number
}

/** A command's options as they were given, all of them text. */
export type Options = Readonly<Record<string, string | undefined>>

/** What a command works with. Everything is opened only when it is asked for. */
export type Context = ReturnType<typeof createContext>

/** Opens what a command asks for: only `account` looks at the key, and nothing shows it. */
export function createContext({ environment, input, output, now }: Outside, options: Options) {
  const env = once(() => readEnv(environment))
  const deployments = once(() => {
    const file = options.deployments ?? env().SVC_DEPLOYMENTS
    if (!file) throw new UsageError('Say where the contracts are: --deployments <file> or SVC_DEPLOYMENTS.')
    return loadDeployments(file)
  })
  const account = once(() => accountOf(environment.PRIVATE_KEY))
  /** Contract wallets' signatures are checked where there is a chain to ask. */
  const verifySignature = once(async () => {
    const { SVC_RPC_URL, CHAIN_RPC_URL } = env()
    const url = (SVC_RPC_URL ?? CHAIN_RPC_URL)?.split(',')[0]
    if (!url) return undefined
    const { client } = providerOf(createRpc({ name: 'The chain', url }), chainOf((await deployments()).chainId))
    return orContractWallet(async (check) => {
      // It takes a chain that does not answer for a wallet that did not sign.
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
    book: once(async () =>
      createBook({
        folder: options.dir ?? 'negotiations',
        deployments: await deployments(),
        verifySignature: await verifySignature(),
      }),
    ),
    /** The transport of a wallet, closed after `use` however it ends. */
    async withTransport<T>(
      me: Address,
      signer: LocalAccount | null,
      use: (transport: Transport) => Promise<T>,
    ): Promise<T> {
      const { XMTP_ENV, XMTP_DB_PATH } = env()
      const transport = await openTransport({
        name: oneOf(transportNames, options.transport ?? 'file', '--transport'),
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

function accountOf(key: string | undefined): LocalAccount {
  if (!key) throw new UsageError('This signs: put your key into the environment variable PRIVATE_KEY.')
  // Whatever is wrong with it, it is not repeated.
  const wrong = () => new UsageError('PRIVATE_KEY is not a key: 0x and 64 hex digits.')
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) throw wrong()
  try {
    return privateKeyToAccount(key as Hex)
  } catch {
    throw wrong()
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
