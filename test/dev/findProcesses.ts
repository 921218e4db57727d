import { readdir, readFile } from 'node:fs/promises'

/** A process of this machine. */
export interface FoundProcess {
  pid: number
  command: string
}

/** Finds processes with this text in their arguments or environment. Works on Linux only. */
export async function findProcesses(text: string): Promise<FoundProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(
    pids.map(async (pid) => {
      // It may end at any moment.
      const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')
      const [command, environment] = await Promise.all([read('cmdline'), read('environ')])
      return { pid, command: command.replaceAll('\0', ' '), isOf: `${command}${environment}`.includes(text) }
    }),
  )
  return found.filter(({ isOf, pid }) => isOf && pid !== process.pid).map(({ pid, command }) => ({ pid, command }))
}
