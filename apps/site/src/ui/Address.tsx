import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Link } from '../router.tsx'
import { text } from '../text/common.ts'
import { useName } from '../usePerson.ts'
import { Face } from './Face.tsx'

/** Shortens an address for display. */
export const shortenAddress = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`

export interface AddressProps {
  of: string
  /** The user's own address, which is shown as "You". */
  you?: string | undefined
  size?: number
  copies?: boolean
  /** The address itself, where a name that anybody can choose would not do. */
  isExact?: boolean
}

/** A wallet: its picture and its name or short address, linked to its profile. The tooltip has the whole address. */
export function Address({ of, you, size = 22, copies = false, isExact = false }: AddressProps) {
  const name = useName(isExact ? undefined : of)
  const isYou = you?.toLowerCase() === of.toLowerCase()
  return (
    <span className="row address-row">
      <Link className="address" href={`/u/${of}`} title={of}>
        <Face of={of} size={size} />
        {isYou ? text.you : name ? <bdi>{name}</bdi> : shortenAddress(of)}
      </Link>
      {copies && <CopyButton value={of} label={text.copyAddress} />}
    </span>
  )
}

/** Copies a value, and says that it did. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
      setTimeout(() => setCopied(false), 1_500)
    } catch {
      // The browser refused. The tooltip still has the value.
    }
  }
  return (
    <button type="button" className="copy" aria-label={isCopied ? text.copied : label} title={value} onClick={copy}>
      {isCopied ? <Check size={15} /> : <Copy size={15} />}
    </button>
  )
}
