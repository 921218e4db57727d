import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The operator's command from docs/operations.md. It backs up only the posting tables, because the chain has everything else. */
export const backupCommand = 'pg_dump --format=custom --schema=posting --file=posting.dump "$SVC_DATABASE_URL"'
/** Restores into a database without these tables, before the API is started. */
export const restoreCommand = 'pg_restore --exit-on-error --no-owner --dbname="$SVC_DATABASE_URL" posting.dump'

/** Runs such a command for a database, in the folder of the dump. */
export async function runBackupCommand(url: string, folder: string, command: string): Promise<void> {
  await run('bash', ['-c', `export SVC_DATABASE_URL=$1; ${command}`, 'bash', url], { cwd: folder })
}
