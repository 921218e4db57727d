import type { Market } from '@svc/protocol'
import { profileText } from '../text/profile.ts'
import { Address, type AddressProps } from '../ui/Address.tsx'
import { useRecord } from './useRecord.ts'

/** A wallet with its record in a few words: for every place where someone decides whether to deal with it. */
export function AddressLink({ market, ...address }: AddressProps & { market: Market }) {
  const record = useRecord(address.of, market)
  return (
    <span className="address-link">
      <Address {...address} />
      {record && <span className="tiny soft">{profileText.shortRecord(record)}</span>}
    </span>
  )
}
