import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What an operator runs, as docs/operations.md has it: only the posting tables, since the chain has all the rest. */
export const backupCommand = 'pg_dump --format=custom --schema=posting --file=posting.dump "$SVC_DATABASE_URL"'
/** Into a database without these tables, before the API is started there. */
export const restoreCommand = 'pg_restore --exit-on-error --no-owner --dbname="$SVC_DATABASE_URL" posting.dump'

/** Runs such a command for a database, in the folder of the dump. */
export async function runFor(url: string, folder: string, command: string): Promise<void> {
  await run('bash', ['-c', `export SVC_DATABASE_URL=$1; ${command}`, 'bash', url], { cwd: folder })
}
