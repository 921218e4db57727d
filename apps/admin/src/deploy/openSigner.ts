import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { ChainClient } from '@svc/chain'
import type { Environment } from '@svc/serve'
import type { Address } from 'viem'
import { AdminError } from '../adminError.ts'
import { decryptKeystore } from './keystore.ts'
import { createKeySigner, createRemoteSigner, type Signer } from './signer.ts'

/** What the command line says about the signer. Never a key or a password. */
export interface SignerChoice {
  keystore?: string | undefined
  passwordFile?: string | undefined
  remoteSigner?: string | undefined
}

/** Opens the signer that the command line names. `address` is who must sign. */
export async function openSigner(
  { keystore, passwordFile, remoteSigner }: SignerChoice,
  { address, client, environment }: { address: Address; client: ChainClient; environment: Environment },
): Promise<Signer> {
  if (Boolean(keystore) === Boolean(remoteSigner)) throw new AdminError('Give either --keystore or --remote-signer.')
  if (remoteSigner) return createRemoteSigner(remoteSigner, address, client.chain.id)
  const text = await readFile(keystore ?? '', 'utf8').catch(() => {
    throw new AdminError(`Cannot read the keystore ${keystore}.`)
  })
  return createKeySigner(await decryptKeystore(text, await readPassword(passwordFile, environment)), client)
}

/** Reads the password from a file, the variable SVC_ADMIN_PASSWORD or the terminal. */
async function readPassword(file: string | undefined, { SVC_ADMIN_PASSWORD }: Environment): Promise<string> {
  if (file) {
    const text = await readFile(file, 'utf8').catch(() => {
      throw new AdminError(`Cannot read the password file ${file}.`)
    })
    return text.replace(/\r?\n$/, '')
  }
  if (SVC_ADMIN_PASSWORD) return SVC_ADMIN_PASSWORD
  if (!process.stdin.isTTY) throw new AdminError('Give --password-file, or set SVC_ADMIN_PASSWORD.')
  process.stderr.write('Password of the keystore: ')
  // What is typed is not shown.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: process.stdin, output, terminal: true })
  const password = await prompt.question('')
  prompt.close()
  process.stderr.write('\n')
  return password
}
