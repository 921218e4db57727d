import { readFileSync } from 'node:fs'

/** Starts to measure which part of the processors' time the host of a virtual machine takes. Always 0 where Linux does not count it. */
export function watchStolenTime(): () => number {
  const before = readTimes()
  return () => {
    const now = readTimes()
    const [stolen, all] = [now.stolen - before.stolen, now.all - before.all]
    return all > 0 ? stolen / all : 0
  }
}

function readTimes(): { stolen: number; all: number } {
  try {
    const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
    // user nice system idle iowait irq softirq steal
    const times = first.trim().split(/\s+/).slice(1, 9).map(Number)
    return { stolen: times[7] ?? 0, all: times.reduce((sum, time) => sum + time, 0) }
  } catch {
    return { stolen: 0, all: 0 }
  }
}
