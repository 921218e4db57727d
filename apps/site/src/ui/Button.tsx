import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from 'react'
import { Link } from '../router.tsx'

type Look = 'plain' | 'primary' | 'quiet' | 'danger'
type Size = 'usual' | 'small' | 'big'

interface Looks {
  look?: Look | undefined
  size?: Size | undefined
  wide?: boolean | undefined
}

const nameClasses = ({ look = 'plain', size = 'usual', wide = false }: Looks) =>
  ['button', look === 'plain' ? '' : look, size === 'usual' ? '' : size, wide ? 'wide' : ''].filter(Boolean).join(' ')

/** A button. While `busy`, it shows that something is going on and cannot be pressed. */
export function Button({
  look,
  size,
  wide,
  busy = false,
  children,
  disabled,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & Looks & { busy?: boolean }) {
  return (
    <button
      type="button"
      className={nameClasses({ look, size, wide })}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({
  look,
  size,
  wide,
  ...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & Looks & { href: string }) {
  return <Link className={nameClasses({ look, size, wide })} {...rest} />
}
