import { formatAmount, formatDuration, formatTime, showWords, type Token } from '@svc/protocol'
import { useEffect, useState } from 'react'

/** An amount in units with its symbol; the exact figure in the smallest unit is its title. */
export function Amount({ of, token = 'tok' }: { of: string | bigint; token?: Token }) {
  return (
    <span className="amount" title={`${of} ${token === 'tok' ? 'wei' : 'units'}`}>
      {formatAmount(BigInt(of), token)}
    </span>
  )
}

/** A moment with its zone. */
export function Time({ at }: { at: number }) {
  return <time dateTime={new Date(at * 1000).toISOString()}>{formatTime(at)}</time>
}

/** The present second, for countdowns. */
function useNow(): number {
  const [now, setNow] = useState(() => Math.floor(Date.now() / 1000))
  useEffect(() => {
    const timer = setInterval(() => setNow(Math.floor(Date.now() / 1000)), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** How long until a moment, with the moment itself. */
export function Countdown({ to }: { to: number }) {
  const left = to - useNow()
  return (
    <span className={left < 3_600 && left > 0 ? 'countdown soon' : 'countdown'} title={formatTime(to)}>
      {left > 0 ? `${formatDuration(left)} left` : `over since ${formatTime(to)}`}
    </span>
  )
}

/** A wallet, shortened; whole when pointed at or copied. */
export function Wallet({ of, you }: { of: string; you?: string | undefined }) {
  return (
    <span className="wallet" title={of}>
      {you?.toLowerCase() === of.toLowerCase() ? 'you' : `${of.slice(0, 6)}…${of.slice(-4)}`}
    </span>
  )
}

/** Words of a stranger: shown as they are, never as anything else. */
export function Words({ of, className = 'words' }: { of: string; className?: string }) {
  return (
    <span className={className} dir="auto">
      {showWords(of)}
    </span>
  )
}

/** The name of a state. */
export function State({ of }: { of: string }) {
  return <span className={`state state-${of.toLowerCase()}`}>{of.toLowerCase().replaceAll('_', ' ')}</span>
}
