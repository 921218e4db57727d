import type { Market } from '@svc/protocol'
import { profileText } from '../text/profile.ts'
import { Address, type AddressProps } from '../ui/Address.tsx'
import { useName } from './useName.ts'
import { useRecord } from './useRecord.ts'

interface AddressLinkProps extends Omit<AddressProps, 'name'> {
  market: Market
  /** The record stands below the name, beside a large picture. */
  isTall?: boolean
}

/** A wallet by its name, if it has one, with its record in a few words: for every place where someone decides whether to deal with it. */
export function AddressLink({ market, isTall = false, ...address }: AddressLinkProps) {
  const record = useRecord(address.of, market)
  return (
    <span className={isTall ? 'address-link tall' : 'address-link'}>
      <NamedAddress market={market} {...(isTall && { size: 40 })} {...address} />
      {record && (
        <span className="tiny soft" title={profileText.shortRecordSays}>
          {profileText.shortRecord(record)}
        </span>
      )}
    </span>
  )
}

/** The same without the record. */
export function NamedAddress({ market, ...address }: Omit<AddressLinkProps, 'isTall'>) {
  return <Address {...address} name={useName(address.of, market)} />
}
