import type { Command } from 'commander'
import { AdminError } from '../adminError.ts'
import { compareDatabases, restoreBackup, writeBackup } from '../backup/backup.ts'
import { recordMark, withDatabase } from '../backup/database.ts'
import type { AdminContext } from './shared.ts'

interface BackupCommand {
  recipient?: string
  withoutKeys: boolean
  envFile: string[]
  key: string[]
}

interface RestoreCommand {
  identity?: string
  keysTo?: string
  drill: boolean
}

/** Adds `backup`, `restore` and `compare`. Databases are named by the environment: a URL may have a password. */
export function addBackupCommands(program: Command, { environment, print }: AdminContext): void {
  const requireUrl = (name: 'SVC_DATABASE_URL' | 'SVC_DRILL_DATABASE_URL') => {
    const url = environment[name]
    if (!url || !URL.canParse(url)) throw new AdminError(`${name} is not set to a postgres:// URL.`)
    return url
  }

  program
    .command('backup <file>')
    .description('Writes all rows that the chain does not have, and the keys of all services, to one file.')
    .option('--recipient <key>', 'public key of age that rows and keys are encrypted to')
    .option('--without-keys', 'leave the keys out: you keep them elsewhere', false)
    .option('--env-file <file...>', 'settings of services, which are kept with the keys that they name', [])
    .option('--key <path...>', 'further files and folders of keys', [])
    .action(async (file: string, { recipient, withoutKeys, envFile, key }: BackupCommand) => {
      if (!recipient && !withoutKeys)
        throw new AdminError('Give --recipient, the public key that `age-keygen` prints, or --without-keys.')
      const { tables, keys } = await writeBackup({
        url: requireUrl('SVC_DATABASE_URL'),
        file,
        recipient,
        withKeys: !withoutKeys,
        environment,
        envFiles: envFile,
        paths: key,
      })
      const rows = tables.reduce((sum, each) => sum + each.rows, 0)
      print(`${file}: ${rows} rows of ${tables.length} tables, ${keys.length} files of keys.`)
    })

  program
    .command('restore <file>')
    .description('Restores a backup into the empty database SVC_DATABASE_URL, and checks every table.')
    .option(
      '--drill',
      'restore into SVC_DRILL_DATABASE_URL instead, and record in SVC_DATABASE_URL that it works',
      false,
    )
    .option('--identity <file>', 'the private key of age')
    .option('--keys-to <folder>', 'where the keys go')
    .action(async (file: string, { identity, keysTo, drill }: RestoreCommand) => {
      const { tables, createdAt, isOwned, files } = await restoreBackup({
        url: requireUrl(drill ? 'SVC_DRILL_DATABASE_URL' : 'SVC_DATABASE_URL'),
        file,
        environment,
        identity,
        keysTo,
      })
      print(
        `The backup of ${createdAt} is restored: ${tables.length} tables, each as it was. ${files.length} files of keys.`,
      )
      if (!isOwned) print('The roles of the backup are not here, so everything belongs to the role of the URL.')
      if (drill) await withDatabase(requireUrl('SVC_DATABASE_URL'), (sql) => recordMark(sql, 'drill'))
    })

  program
    .command('compare')
    .description('Compares every kept table of SVC_DATABASE_URL and SVC_DRILL_DATABASE_URL.')
    .action(async () => {
      const { tables, differs } = await compareDatabases(
        requireUrl('SVC_DATABASE_URL'),
        requireUrl('SVC_DRILL_DATABASE_URL'),
      )
      if (differs.length > 0) throw new AdminError(differs.join('\n'))
      print(`${tables} tables, equal.`)
    })
}
