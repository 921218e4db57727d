import type { Market } from '@svc/protocol'
import { recordTitle, summarizeRecord } from '../text/record.ts'
import { Address, type AddressProps } from '../ui/Address.tsx'
import { useRecord } from './useRecord.ts'

interface AddressLinkProps extends AddressProps {
  market: Market
  /** The record stands below the name, beside a large picture. */
  isTall?: boolean
}

/** A wallet by its name, if it has one, with its record in a few words: for every place where someone decides whether to deal with it. */
export function AddressLink({ market, isTall = false, ...address }: AddressLinkProps) {
  const record = useRecord(address.of, market)
  return (
    <span className={isTall ? 'address-link tall' : 'address-link'}>
      <Address {...(isTall && { size: 40 })} {...address} />
      {record && (
        <span className="tiny soft" title={recordTitle}>
          {summarizeRecord(record)}
        </span>
      )}
    </span>
  )
}
