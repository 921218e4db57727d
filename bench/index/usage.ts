import { readFile } from 'node:fs/promises'

/** Memory and CPU time of a process. */
export interface Usage {
  /** Current and peak memory, in bytes. */
  now: number
  peak: number
  /** CPU seconds of all its threads. */
  cpu: number
}

/** The kernel counts CPU time in hundredths of a second. */
const ticksPerSecond = 100

/** Reads the usage of a process; null if it has ended. */
export async function readUsage(pid: number): Promise<Usage | null> {
  const [status, stat] = await Promise.all(
    ['status', 'stat'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
  )
  const [now, peak] = ['VmRSS', 'VmHWM'].map((name) => new RegExp(`${name}:\\s+(\\d+) kB`).exec(status ?? '')?.[1])
  if (!now || !peak) return null
  // The process name may contain anything, so start after it: user and system time are the 12th and 13th field.
  const fields = (stat ?? '').slice((stat ?? '').lastIndexOf(')') + 2).split(' ')
  const cpu = (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  return { now: Number(now) * 1024, peak: Number(peak) * 1024, cpu }
}

/** Samples a process ten times a second, because its usage cannot be read after it has ended. */
export function watchUsage(pid: number) {
  let last: Usage = { now: 0, peak: 0, cpu: 0 }
  const look = async () => {
    last = (await readUsage(pid)) ?? last
  }
  const timer = setInterval(look, 100)
  return async (): Promise<Usage> => {
    clearInterval(timer)
    await look()
    return last
  }
}
