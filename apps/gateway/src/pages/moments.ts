import { formatDuration, formatTime } from '@svc/protocol'
import { type Html, html } from './html.ts'

const formatIso = (seconds: number) => new Date(seconds * 1000).toISOString()

/** Renders a time with its time zone. */
export function moment(seconds: number): Html {
  return html`<time datetime="${formatIso(seconds)}">${formatTime(seconds)}</time>`
}

/** Renders how long ago something was; a script keeps it current. */
export function age(seconds: number, now: number): Html {
  return html`<time datetime="${formatIso(seconds)}" data-age="${seconds}" title="${formatTime(seconds)}">${formatDuration(Math.max(0, now - seconds))} ago</time>`
}

/** Renders the time left; a script keeps it current. `over` is shown when the time is up. */
export function countdown(seconds: number, now: number, over: string): Html {
  const left = seconds - now
  const label = left > 0 ? `in ${formatDuration(left)}` : over
  return html`<time datetime="${formatIso(seconds)}" data-until="${seconds}" data-over="${over}">${label}</time>`
}
