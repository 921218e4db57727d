import { readdir, readFile } from 'node:fs/promises'

/** A process of this machine. */
export interface Found {
  pid: number
  command: string
}

/** The processes that have this text in their arguments or their environment; Linux tells. */
export async function processesOf(text: string): Promise<Found[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(
    pids.map(async (pid) => {
      // It may end while it is looked at.
      const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')
      const [command, environment] = await Promise.all([read('cmdline'), read('environ')])
      return { pid, command: command.replaceAll('\0', ' '), isOf: `${command}${environment}`.includes(text) }
    }),
  )
  return found.filter(({ isOf, pid }) => isOf && pid !== process.pid).map(({ pid, command }) => ({ pid, command }))
}
