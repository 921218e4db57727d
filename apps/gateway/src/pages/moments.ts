import { formatDuration, formatTime } from '@svc/protocol'
import { type Html, html } from './html.ts'

const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString()

/** A moment with its zone. */
export function moment(seconds: number): Html {
  return html`<time datetime="${isoOf(seconds)}">${formatTime(seconds)}</time>`
}

/** How long ago something was; a module of the page keeps it true. */
export function age(seconds: number, now: number): Html {
  return html`<time datetime="${isoOf(seconds)}" data-age="${seconds}" title="${formatTime(seconds)}">${formatDuration(Math.max(0, now - seconds))} ago</time>`
}

/** How long something still takes; a module of the page keeps it true. `over` is what is said when the time has come. */
export function countdown(seconds: number, now: number, over: string): Html {
  const left = seconds - now
  const words = left > 0 ? `in ${formatDuration(left)}` : over
  return html`<time datetime="${isoOf(seconds)}" data-until="${seconds}" data-over="${over}">${words}</time>`
}
