import { readFile } from 'node:fs/promises'

/** What a process holds and has used. */
export interface Usage {
  /** Memory now, and the most it ever was, in bytes. */
  now: number
  peak: number
  /** Seconds on a processor, of all its threads. */
  cpu: number
}

/** The kernel counts in hundredths of a second, whatever its own clock. */
const ticksPerSecond = 100

/** The usage of a process; null when it is gone. */
export async function usageOf(pid: number): Promise<Usage | null> {
  const [status, stat] = await Promise.all(
    ['status', 'stat'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
  )
  const [now, peak] = ['VmRSS', 'VmHWM'].map((name) => new RegExp(`${name}:\\s+(\\d+) kB`).exec(status ?? '')?.[1])
  if (!now || !peak) return null
  // The fields after the name, which may have anything in it: user and system time are the 12th and 13th of them.
  const fields = (stat ?? '').slice((stat ?? '').lastIndexOf(')') + 2).split(' ')
  const cpu = (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  return { now: Number(now) * 1024, peak: Number(peak) * 1024, cpu }
}

/** Looks at a process ten times a second until told to stop: what it used is gone with it. */
export function watchUsage(pid: number) {
  let last: Usage = { now: 0, peak: 0, cpu: 0 }
  const look = async () => {
    last = (await usageOf(pid)) ?? last
  }
  const timer = setInterval(look, 100)
  return async (): Promise<Usage> => {
    clearInterval(timer)
    await look()
    return last
  }
}
