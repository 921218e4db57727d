import { readFile, writeFile } from 'node:fs/promises'
import { SvcError } from '@svc/protocol'
import { decryptKeyBackup, encryptKeyBackup } from '@svc/protocol/work'
import { type DeviceKeys, ensureKeys, restoreKeys, rotateKeys, type StoreConnection } from '@svc/work'
import { isAddressEqual } from 'viem'
import type { Options } from '../negotiate/context.ts'
import { UsageError } from '../negotiate/describeExit.ts'
import type { Argument, CommandAbout } from './command.ts'
import { readPassphrase } from './passphrase.ts'
import { connectOwnStore, type WorkWallet } from './place.ts'

const statementOption = ['--statement <file>', 'where to write the statement (default: statement.json)'] as const
const passphraseOption = ['--passphrase-file <file>', 'a file with the passphrase (default: it is asked for)'] as const

/** The commands about the keys of a wallet, without a task. */
export const keyCommands: readonly CommandAbout<'wallet', WorkWallet>[] = [
  {
    about: 'wallet',
    name: 'sign-in',
    args: '',
    summary: 'Sign a key statement, so that others can seal work for you. A poster publishes it with the task.',
    options: [statementOption],
    run: async (wallet, options) => publish(wallet, await ensureKeys(wallet.signIn), options.statement),
  },
  {
    about: 'wallet',
    name: 'rotate',
    args: '',
    summary: 'Replace your keys and revoke the old statement. Your old keys still open old work.',
    options: [statementOption],
    run: async (wallet, options) => publish(wallet, await rotateKeys(wallet.signIn), options.statement),
  },
  {
    about: 'wallet',
    name: 'backup',
    args: '[file]',
    summary: 'Encrypt your keys with a passphrase: into a file, or with --vault at the store.',
    options: [passphraseOption, ['--vault', 'keep the backup at the store, which cannot open it']],
    run: async (wallet, options, [given], io) => {
      const { version, readingIdentity, devicePrivateKey, ...keys } = await ensureKeys(wallet.signIn)
      const passphrase = await readPassphrase(options, io, { repeat: true })
      const content = { version, wallet: keys.wallet, readingIdentity, devicePrivateKey }
      const text = await encryptKeyBackup(content, passphrase)
      const { vault, file } = chooseBackupPlace(options, given)
      if (vault) await (await requireStore(wallet)).putVault(text)
      // Never over an older backup: it may hold the only copy of another key.
      else await writeFile(file, text, { flag: 'wx', mode: 0o600 }).catch(refuseExisting(file))
      return {
        json: { wallet: keys.wallet, file: vault ? null : file, vault },
        text: `Saved the keys of ${keys.wallet} in ${vault ? 'the store' : file}.`,
      }
    },
  },
  {
    about: 'wallet',
    name: 'restore',
    args: '[file]',
    summary: 'Bring back keys from a backup: from a file, or with --vault from the store. Signs in once more.',
    options: [passphraseOption, ['--vault', 'take the backup from the store']],
    run: async (wallet, options, [given], io) => {
      const { vault, file } = chooseBackupPlace(options, given)
      const text = vault ? await (await requireStore(wallet)).getVault() : await readFile(file, 'utf8')
      if (text === null) throw new SvcError('VAULT_NOT_FOUND', `The store has no backup of ${wallet.wallet}.`)
      const backup = await decryptKeyBackup(text, await readPassphrase(options, io, { repeat: false }))
      if (!isAddressEqual(backup.wallet, wallet.wallet)) {
        throw new SvcError('WRONG_WALLET', `The backup is of ${backup.wallet}, not of ${wallet.wallet}.`)
      }
      await restoreKeys(wallet.keyStore, backup)
      await ensureKeys(wallet.signIn)
      return { json: { wallet: backup.wallet }, text: `Restored the keys of ${backup.wallet}.` }
    },
  },
  {
    about: 'wallet',
    name: 'store-picture',
    args: '<file>',
    summary:
      'Store your picture (PNG or WebP, at most 64 kB and 512 pixels), for anyone to see. Name it in your profile.',
    run: async (wallet, _, [file]) => {
      const picture = await (await requireStore(wallet)).putPicture(await readFile(String(file)))
      return { json: { picture }, text: `Stored. Publish your profile with "picture": "${picture}".` }
    },
  },
]

/** Where a backup is: at the store with `--vault`, otherwise in a file. Both at once are refused, so that nobody expects a copy. */
function chooseBackupPlace({ vault }: Options, given: Argument): { vault: boolean; file: string } {
  if (vault !== undefined && given !== undefined) throw new UsageError('Name a file, or pass --vault: not both.')
  return { vault: vault !== undefined, file: String(given ?? 'key-backup.age') }
}

/** Writes a statement to a file, and gives it to the store if there is one. */
async function publish(wallet: WorkWallet, keys: DeviceKeys, file = 'statement.json') {
  const { statement } = keys
  await writeFile(file, `${JSON.stringify(statement)}\n`)
  const store = await connectOwnStore(wallet, keys)
  if (store && statement) await store.calls.putStatement(statement)
  const text = [
    `Wrote the key statement of ${keys.wallet} to ${file}${store ? ', and the store has it' : ''}.`,
    `To post a task with a store, pass it on: svc-prepare build-task-terms … --store <address> --statement ${file}`,
  ]
  return { json: { wallet: keys.wallet, file, statement, stored: store !== null }, text: text.join('\n') }
}

async function requireStore(wallet: WorkWallet): Promise<StoreConnection> {
  const store = await connectOwnStore(wallet, await ensureKeys(wallet.signIn))
  if (store) return store
  throw new SvcError('STORE_UNKNOWN', 'No store is known.', { hint: 'Pass --store and --store-address.' })
}

const refuseExisting = (file: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EEXIST') throw error
  throw new SvcError('FILE_EXISTS', `${file} exists already. Name another file.`)
}
