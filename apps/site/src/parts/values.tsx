import { formatAmount, formatDuration, formatTime, sanitizeText, type Token } from '@svc/protocol'
import { useEffect, useState } from 'react'

/** An amount with its symbol. The tooltip shows the exact value in the smallest unit. */
export function Amount({ of, token = 'tok' }: { of: string | bigint; token?: Token }) {
  return (
    <span className="amount" title={`${of} ${token === 'tok' ? 'wei' : 'units'}`}>
      {formatAmount(BigInt(of), token)}
    </span>
  )
}

/** A time in UTC. */
export function Time({ at }: { at: number }) {
  return <time dateTime={new Date(at * 1000).toISOString()}>{formatTime(at)}</time>
}

/** The current time in unix seconds, updated every second. */
function useNow(): number {
  const [now, setNow] = useState(() => Math.floor(Date.now() / 1000))
  useEffect(() => {
    const timer = setInterval(() => setNow(Math.floor(Date.now() / 1000)), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** The time left until a deadline. The tooltip shows the deadline. */
export function Countdown({ to }: { to: number }) {
  const left = to - useNow()
  return (
    <span className={left < 3_600 && left > 0 ? 'countdown soon' : 'countdown'} title={formatTime(to)}>
      {left > 0 ? `${formatDuration(left)} left` : `over since ${formatTime(to)}`}
    </span>
  )
}

/** A shortened address. The tooltip shows all of it. */
export function Wallet({ of, you }: { of: string; you?: string | undefined }) {
  return (
    <span className="wallet" title={of}>
      {you?.toLowerCase() === of.toLowerCase() ? 'you' : `${of.slice(0, 6)}…${of.slice(-4)}`}
    </span>
  )
}

/** Untrusted text, shown only as text. */
export function UntrustedText({ of, className = 'words' }: { of: string; className?: string }) {
  return (
    <span className={className} dir="auto">
      {sanitizeText(of)}
    </span>
  )
}

/** The name of a state. */
export function StateLabel({ of }: { of: string }) {
  return <span className={`state state-${of.toLowerCase()}`}>{of.toLowerCase().replaceAll('_', ' ')}</span>
}
