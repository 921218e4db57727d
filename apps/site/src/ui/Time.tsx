import { formatDuration, formatTime } from '@svc/protocol'
import { useSyncExternalStore } from 'react'
import { getClockOffset } from '../chainClock.ts'

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** The current time of the chain in unix seconds, also if the visitor's clock is wrong. All clocks of a page share one timer. */
export function useNow(): number {
  return useSyncExternalStore(watchClock, readClock)
}

const watchers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
const readClock = () => Math.floor(Date.now() / 1000) + getClockOffset()

function watchClock(watcher: () => void): () => void {
  watchers.add(watcher)
  timer ??= setInterval(() => {
    for (const each of watchers) each()
  }, 1_000)
  return () => {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Formats the distance of a time from now: "3 hours ago", "in 2 days". */
export function formatRelative(at: number, now: number): string {
  const format = new Intl.RelativeTimeFormat(navigator.language, { numeric: 'auto' })
  const distance = at - now
  const [unit, seconds] = units.find(([, length]) => Math.abs(distance) >= length) ?? ['second', 1]
  return format.format(Math.trunc(distance / seconds), unit)
}

/** Formats a time in the visitor's own zone. */
export const formatLocal = (at: number): string =>
  new Intl.DateTimeFormat(navigator.language, { dateStyle: 'medium', timeStyle: 'short' }).format(at * 1000)

/** A time, relative to now. The tooltip has it in local time and in UTC. */
export function Time({ at }: { at: number }) {
  const now = useNow()
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={`${formatLocal(at)} · ${formatTime(at)}`}>
      {formatRelative(at, now)}
    </time>
  )
}

/** The time left until a deadline, with the two largest units. The tooltip has the deadline. */
export function TimeLeft({ to, over = 'over' }: { to: number; over?: string }) {
  const left = to - useNow()
  return (
    <span className="time-left" title={`${formatLocal(to)} · ${formatTime(to)}`}>
      {left > 0 ? formatDuration(left) : over}
    </span>
  )
}
